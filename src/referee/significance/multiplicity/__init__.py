"""Several tests at once: p-values adjusted so that the family keeps its promise."""
