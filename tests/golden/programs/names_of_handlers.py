# The name that a handler binds is gone behind it however it ends: at its end, by an exception, a break, a return.
def is_bound(namespace):
    return "e" in namespace


try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError("inside")
except ValueError as outer:
    print(outer, is_bound(globals()))

for _ in range(1):
    try:
        1 / 0
    except ZeroDivisionError as e:
        break
print(is_bound(globals()))


def local():
    try:
        try:
            1 / 0
        except ZeroDivisionError as e:
            raise ValueError("inside")
    except ValueError:
        try:
            return e
        except UnboundLocalError as error:
            return str(error)


def handled():
    e = 5
    try:
        1 / 0
    except ZeroDivisionError as e:
        return "returned"
    finally:
        print("e" in locals())


print(local())
print(handled())
