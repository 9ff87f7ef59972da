# cmd: run {}
# status: 0
# own: CPython calls it
# __del__ is not called, of which a program is warned.
class Held:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


held = Held("a")
del held
print("end")
