# Names that few programs use: older ones of threading, command lines of Windows, unittest.case.
import subprocess
import threading
import unittest
import unittest.case

print(threading.activeCount() == threading.active_count(), threading.currentThread() is threading.current_thread())
print(subprocess.list2cmdline(["a", "b c", 'd"e', "", "f\\", "g h\\", '\\"', "t\tb", 'x\\\\"y z']))
print(unittest.case.TestCase is unittest.TestCase, unittest.case.SkipTest is unittest.SkipTest, unittest.case.skipIf is unittest.skipIf)
