"""Models of normal classes, and the sufficient statistics that let them share work."""
