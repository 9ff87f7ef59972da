// SPDX-License-Identifier: Apache-2.0
// Arrays whose elements are several numbers each, of both kinds: PRNG keys and complex numbers.
#include "compound.h"

#include <string.h>

#include "complex_array.h"
#include "key_array.h"

Name complex_kind(Eval *ev) { return name_intern_c(ev->session->interner, COMPLEX_KIND); }

Name compound_kind(Eval *ev, Value v) {
  return value_is_key(ev, v) ? ((const KeyArray *)v.o)->impl : complex_kind(ev);
}

bool kind_is_complex(Name kind) { return kind && str_equal(name_str(kind), STR(COMPLEX_KIND)); }

size_t kind_rank(Eval *ev, Name kind) {
  return kind_is_complex(kind) ? 1 : key_impl_find(ev, kind)->rank;
}

Value compound_new(Eval *ev, Array *data, Name kind) {
  return kind_is_complex(kind) ? complex_array_new(ev, data) : key_array_new(ev, data, kind);
}
