// SPDX-License-Identifier: Apache-2.0
// Element types as objects of the program: dtype('float32'), and what may be said in its place.
#pragma once
#include "python/values/evaluator.h"
#include "nd_promote.h"

typedef struct DTypeObject { // also of the type NumpyState.dtype_alias
  Object base;
  DType dtype;
} DTypeObject;

static inline DType dtype_of_object(Value self) { return ((const DTypeObject *)self.o)->dtype; }

Value make_dtype(Eval *ev, DType dtype); // the dtype object
// A dtype, a scalar type (np.int32, float, int, bool; jnp.float32), a string; false if v is none.
bool value_as_dtype(Eval *ev, Value v, DType *out);
// The same as an argument, and of anything with a dtype.
DType take_dtype(Eval *ev, Value v, const char *what);
// Whether v says a type of texts, bytes or objects, whose arrays are library/numpy/_objects.pk's.
bool dtype_says_objects(Eval *ev, Value v);
bool value_is_text(Eval *ev, Value v);     // a str or bytes
NdCasting take_casting(Eval *ev, Value v); // a rule of casts by its name
// The slots of comparison and hash, for the alias too.
Value dtype_compare(Eval *ev, CompareOp op, Value left, Value right);
uint64_t dtype_hash(Eval *ev, Value self);
const char *dtype_code(DType dtype);        // NumPy's letter: dtype.char
Value nd_class_getitem(Eval *ev, Value *a); // the native __class_getitem__(cls, item)
void dtype_object_init(Eval *ev);
