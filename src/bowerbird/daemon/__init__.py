"""What goes on in a process that stays? Its Bowerbirds, its work by itself, its log, who may come in."""
