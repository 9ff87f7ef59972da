#!/usr/bin/env python
# -*- coding: latin-1 -*-
# The text is not UTF-8; columns and lengths are of characters.
name = "Zürich é"
print(name, len(name), ascii(name), name.encode("latin-1"))
