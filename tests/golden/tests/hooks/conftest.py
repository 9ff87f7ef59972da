# Hooks and options as test suites have them; pytest itself tells the same of these tests.
import pytest

collect_ignore = ["left_out"]
collect_ignore_glob = ["*_by_glob.py"]
order = []


def pytest_addoption(parser, pluginmanager):
    group = parser.getgroup("mine", "options of mine")
    group.addoption("--size", type=int, default=1, choices=[4, 8], dest="how_large")
    parser.addoption("--name", action="append", default=[])
    parser.addoption("--fast", action="store_const", const="very", default=None)
    parser.addoption("--range", nargs=2, type=int, default=[0, 1])


def pytest_configure(config):
    order.append("configure")


def pytest_sessionstart(session):
    order.append("sessionstart")


def pytest_sessionfinish(session, exitstatus):
    print(f"finish: status {int(exitstatus)}, {session.testsfailed} failed, {' '.join(order)}")


def pytest_unconfigure(config):
    print("unconfigure")


def pytest_ignore_collect(collection_path, config):
    return True if collection_path.name == "test_by_hook.py" else None


def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", metafunc.config.getoption("--name"), ids=lambda name: f"<{name}>")
    if "doubled" in metafunc.fixturenames:
        metafunc.parametrize("doubled", range(metafunc.config.getoption("how_large") // 4), indirect=True)


@pytest.fixture
def doubled(request):
    return 2 * request.param


def pytest_runtest_setup(item):
    if "slow" in item.keywords:
        pytest.skip("set up without what is slow")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    item.around = ["before"]
    outcome = yield
    item.around.append("after" if outcome.excinfo is None else outcome.excinfo[0].__name__)


@pytest.hookimpl(tryfirst=True, hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    setattr(item, "rep_" + report.when, report)


@pytest.fixture
def told(request):
    yield
    item = request.node
    order.append(f"{item.name}:{item.rep_setup.outcome}/{item.rep_call.outcome}/{item.around[1]}")
