def pytest_sessionstart(session):
    print("session starts")


def pytest_sessionfinish(session, exitstatus):
    print("session ends", int(exitstatus))
