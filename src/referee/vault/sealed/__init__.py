"""A sealed test set: labels in a safe place, looks that are counted, answers that are rationed."""
