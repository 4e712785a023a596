"""What runs in a long-lived process: its Bowerbirds, its scheduled work, its log, and its tokens."""
