// SPDX-License-Identifier: Apache-2.0
// The module bisect: positions in sorted sequences. Items are only compared by <.
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_sort.h"
#include "python/modules/module.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/builtin_state.h"
#include "python/values/raise.h"

static Value key_at(Eval *ev, Value sequence, int64_t at, Value key) {
  Value item;
  const List *list = (const List *)sequence.o;
  if (is_a(sequence, ev->types.list) && at < (int64_t)list->count)
    item = list->items[at];
  else
    item = value_getitem(ev, sequence, v_int(at));
  return v_is_none(key) ? item : value_call_n(ev, key, 1, &item);
}

// Arguments: sequence, x, lo, hi, key. The first position whose item is not less than x or, `right`,
// is greater.
static Value find_position(Eval *ev, Value *a, bool right) {
  int64_t low = take_index64(ev, a[2]);
  if (low < 0) eval_raise(ev, ev->types.ValueError, "lo must be non-negative");
  int64_t high = v_is_none(a[3]) ? value_len(ev, a[0]) : take_index64(ev, a[3]);
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    Value item = key_at(ev, a[0], middle, a[4]);
    if (right ? !value_less(ev, a[1], item) : value_less(ev, item, a[1]))
      low = middle + 1;
    else
      high = middle;
  }
  return v_int(low);
}

static Value f_bisect_left(Eval *ev, Value *a) { return find_position(ev, a, false); }
static Value f_bisect_right(Eval *ev, Value *a) { return find_position(ev, a, true); }

static const NativeDef functions[] = {
    {"bisect_left(a, x, lo=0, hi=None, *, key=None)", f_bisect_left},
    {"bisect_right(a, x, lo=0, hi=None, *, key=None)", f_bisect_right},
    {0},
};

const ModuleDef module_bisect = {.name = "bisect", .functions = functions};
