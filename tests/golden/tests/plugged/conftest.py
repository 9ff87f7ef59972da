pytest_plugins = ('plugged_by_name',)


def pytest_make_parametrize_id(config, val, argname):
    return f'{argname}={val.__name__}' if callable(val) else None
