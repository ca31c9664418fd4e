"""Pictures and pages of what was played."""
