"""What should I choose? Least parameters, each with the proof that it holds and that less fails."""
