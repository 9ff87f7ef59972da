# own: the stand-in of pydantic
import keyword
from typing import ClassVar, Optional
from pydantic import BaseModel, Field, ConfigDict, ValidationError

print(keyword.iskeyword("for"), keyword.iskeyword("fore"), keyword.issoftkeyword("match"), len(keyword.kwlist))


class Tiles(BaseModel):
    model_config = ConfigDict(frozen=True)
    limit: ClassVar[int] = 7
    m: int
    n: int = 128
    names: list = Field(default_factory=list)


class More(Tiles):
    k: Optional[int] = None


class Outer(BaseModel, extra="forbid"):
    tiles: Tiles
    scale: float = 1.0

    def model_post_init(self, context):
        self.scale = self.scale * 2


t = More(m=8, names=["a"])
print(t, repr(t), list(t.model_fields))
print(t == More(m=8, names=["a"]), t == Tiles(m=8), t.model_copy(update={"k": 3}))
o = Outer(tiles=Tiles(m=1), scale=0.5)
o.scale = 4.0
print(o, o.model_dump(), o.model_dump(exclude={"tiles"}))
print(Outer.model_validate({"tiles": t}))
print(dict(Tiles(m=2)), hash(Tiles(m=2, names=())) == hash(Tiles(m=2, names=())))
for bad in (lambda: Tiles(n=3), lambda: Outer(tiles=t, other=1), lambda: setattr(t, "m", 9)):
    try:
        bad()
    except ValidationError as e:
        print(str(e).splitlines()[:2])
