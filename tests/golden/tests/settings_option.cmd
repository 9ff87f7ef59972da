# status: 2
test configured -c pytest.ini
