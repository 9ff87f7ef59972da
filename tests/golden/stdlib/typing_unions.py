# Unions that `|` makes of forms of typing.
from typing import Any, List, Optional, Union

print(Optional[int] | str, int | Optional[str], List[int] | None, None | List[int], Union[int, str] | List[int])
for left, right in ((Optional[int], 5), (5, Optional[int]), (List[int], 1.5), (Any, ...), (3, Any)):
    try:
        print(left | right)
    except TypeError as e:
        print(e)
