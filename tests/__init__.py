"""Tests of nertsim."""
