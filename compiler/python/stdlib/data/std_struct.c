// SPDX-License-Identifier: Apache-2.0
// The module _struct: floating-point numbers as their bytes, the lowest first, for struct.pk.
#include <math.h>
#include <string.h>
#include "python/builtins/text/builtin_bytes.h"
#include "python/builtins/builtin_index.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"

static Value float_bytes(Eval *ev, Value *a) {
  double value = take_float(ev, a[0], "value");
  int64_t size = take_index64(ev, a[1]);
  char bytes[8];
  if (size == 8) {
    memcpy(bytes, &value, sizeof value);
  } else if (size == 4) {
    float narrow = (float)value;
    memcpy(bytes, &narrow, sizeof narrow);
  } else {
    _Float16 narrow = (_Float16)value;
    if (isinf((float)narrow) && !isinf(value))
      eval_raise(ev, ev->types.OverflowError, "float too large to pack with e format");
    memcpy(bytes, &narrow, sizeof narrow);
  }
  return make_bytes(ev, (Str){bytes, (size_t)size});
}

static Value float_value(Eval *ev, Value *a) {
  Str data = take_bytes(ev, a[0]);
  if (data.len == 8) {
    double value;
    memcpy(&value, data.data, sizeof value);
    return v_float(value);
  }
  if (data.len == 4) {
    float value;
    memcpy(&value, data.data, sizeof value);
    return v_float((double)value);
  }
  _Float16 value = 0;
  if (data.len == sizeof value) memcpy(&value, data.data, sizeof value);
  return v_float((double)value);
}

static const NativeDef natives[] = {
    {"float_bytes(value, size)", float_bytes}, {"float_value(data)", float_value}, {0}};

const ModuleDef module_struct = {.name = "_struct", .functions = natives};
