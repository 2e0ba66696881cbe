"""Configs that the Hydra plugin puts on the search path: the group `skip`."""
