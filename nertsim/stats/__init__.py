"""Intervals, tests and ratings. Plain mathematics on counts and sums; nothing here plays a deal."""
