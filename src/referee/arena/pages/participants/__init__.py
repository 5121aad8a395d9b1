"""Pages for visitors and participants: benchmarks, board, submitting, team, account."""
