# -*- coding: utf-8-unix -*-
print("é", len("é"))
