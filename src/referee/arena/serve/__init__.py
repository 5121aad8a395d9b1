"""Serving: the app on a port, with one process or several."""
