"""A document as plain text or on a terminal: lines, tables, pictures drawn with characters."""
