# Texts of numbers as NumPy before 2 gave them, and of arrays of texts with options.
from modules.cases import tell

CASES = r'''
np.set_printoptions(legacy="1.25");; r=repr([np.float64(1.1),np.float32(1.1),np.int8(3),np.bool_(True),np.complex64(1+2j),np.str_("a"),np.bytes_(b"b"),np.array([1.5]),np.arange(3)]);; np.set_printoptions(legacy=False);; (r, repr(np.float64(1.1)))
p=np.printoptions(legacy="1.21");; p.__enter__();; r=(repr(np.float64(2)), np.get_printoptions()["legacy"], str(np.array([1+2j])));; p.__exit__(None,None,None);; (r, np.get_printoptions()["legacy"])
p=np.printoptions(legacy="2.1",precision=3);; p.__enter__();; r=(repr(np.float64(1/3)), repr(np.array([1/3])));; p.__exit__(None,None,None);; r
np.array2string(np.array([1.5,2]),legacy="1.25")
np.array2string(np.array(["a","bc"]), separator=", ")
np.array2string(np.array(["a","bc"]), max_line_width=8)
np.array2string(np.array(list("abcdefgh")), threshold=3, edgeitems=1)
np.array2string(np.array([1,None],object), separator=",")
'''

tell(CASES)
