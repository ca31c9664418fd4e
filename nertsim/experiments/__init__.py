"""Questions that take more than a batch of deals: whole matches."""
