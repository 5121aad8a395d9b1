"""The situations of a statistical review, each with its figure then, its goal and its figure now."""
