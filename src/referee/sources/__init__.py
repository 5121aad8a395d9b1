"""Where data come from: tables in files, and logs of evaluations."""
