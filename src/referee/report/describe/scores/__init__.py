"""How results of scores are told: evaluations, pairs, boards, and their records."""
