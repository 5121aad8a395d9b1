"""How good is this model? From predictions to an Evaluation."""
