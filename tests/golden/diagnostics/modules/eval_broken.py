import math
VALUE = math.floor(2.5)
RESULT = VALUE + "x"
