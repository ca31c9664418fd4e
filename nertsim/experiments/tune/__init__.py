"""Tuning: better parameters for a bot, and proof on fresh deals that they are better."""
