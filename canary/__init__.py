"""The release canary: `python -m canary` compares the newest verl with what skipcfg knows."""
