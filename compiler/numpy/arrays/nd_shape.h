// SPDX-License-Identifier: Apache-2.0
// Shapes and axes: as text, as arguments of a program, and spread over each other.
#pragma once
#include "nd.h"

Str shape_text(Arena *arena, size_t rank, const int64_t *dims);       // "(8, 128)"
Str shape_close_text(Arena *arena, size_t rank, const int64_t *dims); // "(8,128)", as ufuncs say
// A shape argument, an int or a sequence of ints, which NumPy may have other words about than JAX.
// False: `wrong` is the element that is no int, V_UNBOUND if v is neither.
bool shape_read(Eval *ev, Value v, size_t *rank, int64_t dims[ND_MAX_RANK], const char *what,
                Value *wrong);
// As NumPy reads it; TypeError of what says none.
size_t take_shape(Eval *ev, Value v, int64_t dims[ND_MAX_RANK], const char *what);
// An axis in [-rank, rank), made non-negative.
int take_axis(Eval *ev, Value v, int rank, const char *what);
// The same where JAX looks the axis up in the shape first: an IndexError.
int take_axis_of_shape(Eval *ev, Value v, int rank);
// axis=None|int|tuple as a list of axes, sorted; None is all.
size_t take_axes(Eval *ev, Value v, int rank, int64_t axes[ND_MAX_RANK]);
// How a shape goes with `count` elements; a size of -1 is worked out.
typedef enum ShapeFit {
  SHAPE_FITS,
  SHAPE_UNKNOWNS, // there are several sizes of -1
  SHAPE_BY_ZERO,  // any size goes for the one of -1
  SHAPE_UNEVEN,   // none does
  SHAPE_DIFFERS,  // in the number of elements; always, where 64 bits do not hold that
} ShapeFit;
ShapeFit shape_fit(int64_t count, size_t rank, int64_t *dims);
// NumPy's rule; false if the shapes do not go together.
bool broadcast_dims(size_t *rank, int64_t *dims, size_t other_rank, const int64_t *other);
