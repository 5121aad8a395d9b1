"""The only fit loop: a model, data and a plan give Predictions."""
