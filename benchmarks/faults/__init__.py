"""What a store survives: kills, cuts of power, failing and full disks, wrong clocks, hours of work."""
