"""What a store keeps, noun by noun: how each is written, read, removed and sealed."""
