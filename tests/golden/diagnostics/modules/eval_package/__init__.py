NAME = "package"
