"""What a report counts itself: from rows, part by part, and from deals that are replayed."""
