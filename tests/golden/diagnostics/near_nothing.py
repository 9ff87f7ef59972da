# Few letters differ from the module copy, and it is none of that.
import scipy
