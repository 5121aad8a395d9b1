"""What is true of a known task: Bayes rule, Bayes risk, and the true risk of a classifier."""
