"""Which model is better, or is it chance? From predictions to a Comparison."""
