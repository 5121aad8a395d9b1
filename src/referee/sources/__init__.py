"""Where data come from: tables in files."""
