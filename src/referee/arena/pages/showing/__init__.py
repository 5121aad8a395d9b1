"""What pages are made of: templates, Markdown, drawings, tables, static files."""
