"""Where candidates come from: words, meaning, and what stands around them."""
