"""The plots, one module a topic. Each function makes a matplotlib figure of numbers that it is given."""
