# cmd: test {} -v
# status: 1
# Conditions of skipif and xfail that are text: expressions that know sys, os, platform, config and the module's names.
import pytest
LIMIT = 3
@pytest.mark.skipif("sys.version_info >= (3, 9)", reason="new")
def test_version(): assert 0
@pytest.mark.skipif("LIMIT > 5")
def test_runs(): pass
@pytest.mark.skipif("LIMIT > 2 and os.name == 'posix'")
def test_no_reason(): assert 0
@pytest.mark.xfail("config.getoption('verbose') > 0", reason="told")
def test_expected(): assert 0
@pytest.mark.skipif("LIMTI > 2")
def test_misspelt(): pass
@pytest.mark.skipif("LIMIT >")
def test_unread(): pass
