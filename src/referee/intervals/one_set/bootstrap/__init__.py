"""The bootstrap of one test set: of any function, of a matrix, of a ranking."""
