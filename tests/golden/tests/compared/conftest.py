def pytest_assertrepr_compare(config, op, left, right):
    if op == "==" and isinstance(left, set) and isinstance(right, set):
        return ["the sets differ", f"  {sorted(left ^ right)} are in one alone"]


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    terminalreporter.write_line("never shown")
