"""The same candidates for a process that stays: what every question reads, in memory."""
