"""`skipcfg validate`: check configs, change nothing."""
