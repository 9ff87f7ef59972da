def test_square():
    """
    >>> [side ** 2 for side in range(50)]  # doctest: +ELLIPSIS
    [0, 1, ..., 2401]
    """
