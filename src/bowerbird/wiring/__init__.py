"""Composition alone: settings, the open store, its reach. Only it imports storage and models."""
