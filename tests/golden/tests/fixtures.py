# cmd: test {} -v -s
# Fixtures of every scope, with parameters, overridden, requested by name; parameters of tests; their ids.
import enum
import pytest

log = []


class Colour(enum.Enum):
    RED = 1


@pytest.fixture(scope="session")
def whole():
    log.append("whole")
    yield "whole"
    print("end of whole")


@pytest.fixture(scope="module", params=["a", "b"], ids=lambda p: p.upper())
def part(request, whole):
    log.append(f"part {request.param}")
    yield whole + request.param
    log.append(f"end of part {request.param}")


@pytest.fixture
def one(part):
    return part + "1"


@pytest.fixture(name="other")
def _other(request):
    request.addfinalizer(lambda: log.append("other ends"))
    return request.node.name


@pytest.fixture(autouse=True)
def each():
    log.append("each")
    yield
    log.append("each ends")


def test_one(one):
    assert one in ("wholea1", "wholeb1")


def test_other(other, request):
    assert other == "test_other" == request.node.name and request.function is test_other
    assert request.getfixturevalue("whole") == "whole"


@pytest.mark.parametrize("x", [1, 2.5, None, "s", Colour.RED, [1], int], ids=None)
@pytest.mark.parametrize(("y", "z"), [(1, 2), pytest.param(3, 4, id="last")])
def test_ids(x, y, z):
    assert z == y + 1


@pytest.mark.parametrize("n", [1, 1, 2], ids=["one", "one", None])
def test_same_ids(n):
    pass


@pytest.fixture
def doubled(request):
    return request.param * 2


@pytest.mark.parametrize("doubled", [1, 2], indirect=True)
def test_indirect(doubled):
    assert doubled in (2, 4)


class TestClass:
    @pytest.fixture
    def one(self):
        return type(self).__name__

    @pytest.fixture(scope="class")
    def shared(self):
        return []

    def setup_method(self, method):
        self.method = method.__name__

    def test_override(self, one, shared):
        shared.append(1)
        assert one == "TestClass" and self.method == "test_override"

    def test_shared(self, shared):
        assert shared == [1]


class TestOuter:
    class TestInner:
        def test_deep(self, each):
            assert each is None


class TestDerived(TestClass):
    @pytest.fixture
    def one(self, other):
        return other[:0] + "TestClass"


def test_builtins(tmp_path, capsys, monkeypatch, tmp_path_factory, recwarn):
    (tmp_path / "a").write_text("text")
    assert [p.name for p in tmp_path.iterdir()] == ["a"] and tmp_path_factory.mktemp("a") != tmp_path_factory.mktemp("a")
    print("shown")
    assert capsys.readouterr() == ("shown\n", "")
    monkeypatch.setattr(Colour, "extra", 3, raising=False)
    monkeypatch.setenv("SOME_NAME", "value")
    import os
    assert Colour.extra == 3 and os.environ["SOME_NAME"] == "value"
    import warnings
    warnings.warn("careful")
    assert len(recwarn) == 1 and str(recwarn.pop(UserWarning).message) == "careful"


def test_capfd(capfd):
    print("shown")
    assert capfd.readouterr().out == "shown\n"


def test_undone():
    import os
    assert not hasattr(Colour, "extra") and "SOME_NAME" not in os.environ


def test_log():
    print([line for line in log if not line.startswith("each")])
