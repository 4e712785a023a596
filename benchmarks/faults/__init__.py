"""What a store survives: kills, power cuts, failing and full disks, wrong clocks, hours of work."""
