"""Which model scores better, from one number per item? Two models, or a whole board."""
