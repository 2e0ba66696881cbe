"""The dumps: where they lie, which steps of a run they serve, and how old ones stay usable.

`layout` has the names, `config` gets a composed config, `run` reads it as verl does, `state` looks into a
dump directory, `plan` follows a run through it, `survey` lists what a tree of dumps holds, `convert` puts
dumps of older releases where verl 0.9 looks. Nothing here opens a dump: what is in it is never unpickled.
"""
