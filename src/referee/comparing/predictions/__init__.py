"""Given predictions compared: from answers to tables, one a model, and on to a Comparison."""
