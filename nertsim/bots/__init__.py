"""Strategies: what a bot sees and returns, the built-in ones, and how a bot is named on the command line."""
