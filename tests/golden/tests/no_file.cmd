# status: 4
test nowhere modules
