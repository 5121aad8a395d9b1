"""The situations of a statistical review, each with its figure then, the goal, its figure now."""
