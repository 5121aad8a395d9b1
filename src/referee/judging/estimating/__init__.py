"""From predictions to estimates: each kind of measure on its way to a value and an interval."""
