// SPDX-License-Identifier: Apache-2.0
// NumPy's print options, and the natives behind np.set_printoptions, array2string, array_repr and
// format_float_*.
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "np_print.h"
#include "nd_format.h"
#include "numpy/numpy_state.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "python/builtins/text/builtin_format.h"
#include <math.h>

static const PrintOptions initial = {.precision = 8,
                                     .threshold = 1000,
                                     .edgeitems = 3,
                                     .linewidth = 75,
                                     .sign = '-',
                                     .nanstr = {"nan", 3},
                                     .infstr = {"inf", 3},
                                     .floatmode = {"maxprec", 7},
                                     .formatter = {.kind = V_NONE}};

const PrintOptions *nd_print_options(Eval *ev) {
  return ev->numpy->print ? ev->numpy->print : &initial;
}

static Value option(Eval *ev, const Dict *dict, const char *name) {
  Value v = dict_get(ev, dict, make_str_c(ev, name));
  if (v_is_unbound(v)) eval_raise(ev, ev->types.KeyError, "print option '%s'", name);
  return v;
}

static int64_t clamped(int64_t v, int64_t most) { return v < 0 ? 0 : v > most ? most : v; }

// From the dict that np.get_printoptions gives; None: those in force. The prelude has checked the
// values.
static const PrintOptions *take_options(Eval *ev, Value v) {
  if (v_is_none(v)) return nd_print_options(ev);
  const Dict *dict = value_as_dict(v);
  PrintOptions *o = ARENA_NEW(ev->arena, PrintOptions);
  Value precision = option(ev, dict, "precision");
  o->precision = v_is_none(precision)
                     ? -1
                     : (int)clamped(take_int(ev, precision, "precision"), PRT_STYLE_DIGITS);
  Value threshold = option(ev, dict, "threshold");
  double most = take_float(ev, threshold, "threshold");
  o->threshold = most >= 9e18 ? INT64_MAX : (int64_t)floor(most);
  o->edgeitems = clamped(take_int(ev, option(ev, dict, "edgeitems"), "edgeitems"), INT32_MAX);
  o->linewidth =
      (int)clamped(take_int(ev, option(ev, dict, "linewidth"), "linewidth"), INT32_MAX / 2);
  o->suppress = value_truth(ev, option(ev, dict, "suppress"));
  o->sign = take_str(ev, option(ev, dict, "sign"), "sign").data[0];
  o->nanstr = take_str(ev, option(ev, dict, "nanstr"), "nanstr");
  o->infstr = take_str(ev, option(ev, dict, "infstr"), "infstr");
  o->floatmode = take_str(ev, option(ev, dict, "floatmode"), "floatmode");
  if (!value_as_str(option(ev, dict, "legacy"), &o->legacy)) o->legacy = STR("");
  o->formatter = option(ev, dict, "formatter");
  return o;
}

Value np_print_options(Eval *ev, Value *a UNUSED) {
  const PrintOptions *o = nd_print_options(ev);
  Dict *d = dict_new(ev);
  const char sign[2] = {o->sign, 0};
  const struct {
    const char *name;
    Value value;
  } items[] = {
      {"edgeitems", v_int(o->edgeitems)},
      {"threshold", o->threshold == INT64_MAX ? v_float(INFINITY) : v_int(o->threshold)},
      {"floatmode", make_str(ev, o->floatmode)},
      {"precision", o->precision < 0 ? v_none() : v_int(o->precision)},
      {"suppress", v_bool(o->suppress)},
      {"linewidth", v_int(o->linewidth)},
      {"nanstr", make_str(ev, o->nanstr)},
      {"infstr", make_str(ev, o->infstr)},
      {"sign", make_str_c(ev, sign)},
      {"formatter", o->formatter},
      {"legacy", o->legacy.len ? make_str(ev, o->legacy) : v_bool(false)},
      {"override_repr", v_none()},
  };
  for (size_t i = 0; i < COUNT_OF(items); i++)
    dict_set(ev, d, make_str_c(ev, items[i].name), items[i].value);
  return v_object(d);
}

Value np_set_print_options(Eval *ev, Value *a) {
  PrintOptions *own = ARENA_NEW(ev->arena, PrintOptions);
  *own = *take_options(ev, a[0]);
  ev->numpy->print = own;
  return v_none();
}

Value np_array_repr(Eval *ev, Value *a) {
  return make_str(
      ev, nd_repr(ev, nd_from_value(ev, a[0], DT_COUNT, "np.array_repr"), take_options(ev, a[1])));
}

// str() of an array, also of one of rank 0.
Value np_array_text(Eval *ev, Value *a) {
  const NdArray *nd = nd_from_value(ev, a[0], DT_COUNT, "np.array2string");
  return make_str(ev, nd_text(ev, nd, take_options(ev, a[1]), take_str(ev, a[2], "separator"),
                              take_str(ev, a[3], "prefix"), take_str(ev, a[4], "suffix")));
}

// The digits of one number; -1 stands for None.
Value np_float_text(Eval *ev, Value *a) {
  const NdArray *nd = nd_from_value(ev, a[0], DT_COUNT, "np.format_float");
  if (nd_count(nd) != 1) eval_raise(ev, ev->types.TypeError, "only a number can be formatted");
  DType dtype = dtype_is_float(nd->dtype) ? nd->dtype : DT_F64;
  double x = nd_get_f64(nd, 0);
  prt_float_style style = {.unique = value_truth(ev, a[2]),
                           .precision = (int)take_int(ev, a[3], "precision"),
                           .min_digits =
                               (int)clamped(take_int(ev, a[4], "min_digits"), PRT_STYLE_DIGITS),
                           .trim = take_str(ev, a[5], "trim").data[0],
                           .plus = value_truth(ev, a[6]),
                           .significant = !value_truth(ev, a[7]),
                           .exp_digits = (int)clamped(take_int(ev, a[8], "exp_digits"), 5)};
  if (style.precision > PRT_STYLE_DIGITS) style.precision = PRT_STYLE_DIGITS;
  if (!isfinite(x))
    return make_str_fmt(ev, "%s%s",
                        signbit(x) && !isnan(x) ? "-"
                        : style.plus            ? "+"
                                                : "",
                        isnan(x) ? "nan" : "inf");
  return make_str(ev, nd_float_text(ev, dtype, x, style, value_truth(ev, a[1])));
}
