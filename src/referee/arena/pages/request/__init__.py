"""What comes with a request for a page: who asks, from where, with which form."""
