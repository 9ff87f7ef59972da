# own: what is no type is refused by `|` of forms of typing, which CPython 3.11 takes
from typing import Any, List, Optional, Union

print(Optional[int] | str, int | Optional[str], List[int] | None, None | List[int], Union[int, str] | List[int])
for left, right in ((Optional[int], 5), (5, Optional[int]), (List[int], 1.5), ([], List[int]), (Any, ...), (3, Any)):
    try:
        print(left | right)
    except TypeError as e:
        print(e)
