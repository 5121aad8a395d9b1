"""Keys of a vault: where they are kept, and passphrases in their place."""
