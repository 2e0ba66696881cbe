"""The command `skipcfg`. The work is done by the library `skip_config`."""
