here = "found"
