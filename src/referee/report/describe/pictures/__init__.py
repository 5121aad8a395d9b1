"""Pictures that several descriptions show."""
