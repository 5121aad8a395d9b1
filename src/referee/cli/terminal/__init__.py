"""What every verb shares: options, help, screen and files."""
