"""What should be known of the evaluation logs that scores come from; one file per finding."""
