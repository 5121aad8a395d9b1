"""The sentence an evaluation concludes with: on classes, on quantities, where one class is rare."""
