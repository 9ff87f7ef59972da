test nowhere modules
