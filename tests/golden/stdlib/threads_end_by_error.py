# A program that ends by SystemExit waits for its threads and closes its generators.
import threading
import time


def work():
    time.sleep(0.01)
    print("the thread has ended")


def items():
    try:
        yield 1
    finally:
        print("closed")


threading.Thread(target=work).start()
generator = items()
next(generator)
raise SystemExit(0)
