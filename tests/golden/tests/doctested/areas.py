"""Areas of shapes.

>>> square(3)
9
"""


def square(side):
    """
    >>> square(2)
    4
    >>> square("a")
    Traceback (most recent call last):
    TypeError: can't multiply sequence by non-int of type 'str'
    """
    return side * side


class Circle:
    """
    >>> Circle()  # doctest: +SKIP
    <Circle>
    """
