import os
import subprocess
import pytest


def test_of_plugins(by_name, by_option):
    assert (by_name, by_option) == ('by name, behind', 'by option')


@pytest.mark.parametrize('f', [len, 'text'])
def test_ids(f, request):
    assert request.node.callspec.params == {'f': f} and request.node.callspec.id in ('f=len', 'text')


def test_of_fixture(parameter):
    assert not hasattr(test_of_fixture, 'callspec')


def test_files(capfd):
    print('printed')
    os.write(1, b'raw\n')
    os.write(2, b'error\n')
    subprocess.run(['echo', 'child'])
    assert capfd.readouterr() == ('printed\nraw\nchild\n', 'error\n') and capfd.readouterr() == ('', '')


def doubled(x):
    """
    >>> doubled(seven)
    14
    """
    return 2 * x
