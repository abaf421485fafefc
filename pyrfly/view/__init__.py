"""Pictures of vehicles and their world, in a browser and in files."""
