"""What runs say, in words: for the terminal and for pages. Nothing heavy is loaded for it."""
