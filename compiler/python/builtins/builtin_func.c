// SPDX-License-Identifier: Apache-2.0
// The builtin functions. Those that are classes (int, zip, …) are in the files of their types.
#include "base/buf.h"
#include "base/checked.h"
#include "base/unicode.h"
#include "python/modules/module.h"
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "builtin_complex.h"
#include "builtin_index.h"
#include "builtin_list.h"
#include "python/builtins/text/builtin_str.h"
#include "python/builtins/text/builtin_text.h"
#include "builtin_wrap.h"
#include "python/modules/import.h"
#include "python/objects/attribute.h"
#include "python/numbers/bigint.h"
#include "python/numbers/quick.h"
#include "python/values/bytes_like.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/objects/dir.h"
#include "python/numbers/integer.h"
#include "python/numbers/quick.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/fresh.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "builtin_int.h"
#include "builtin_sort.h"
#include <math.h>
#include <string.h>

// ---- numbers ------------------------------------------------------------------------------------
static Value f_abs(Eval *ev, Value *a) {
  if (a[0].kind == V_FLOAT) return v_float(fabs(a[0].f));
  if (a[0].kind == V_INT && a[0].i > INT64_MIN) return v_int(a[0].i < 0 ? -a[0].i : a[0].i);
  if (is_a(a[0], ev->types.complex)) return complex_magnitude(ev, a[0]);
  Value result = special_call(ev, a[0], ev->builtin->names.dunder_abs, 0, NULL);
  if (v_is_unbound(result)) {
    eval_raise(ev, ev->types.TypeError, "bad operand type for abs(): '%s'",
               value_type_name(ev, a[0]));
  }
  return result;
}

// In base 2^bits.
static Value small_based_text(Eval *ev, int64_t number, unsigned bits, const char *prefix) {
  char text[2 + 64 + 2], *at = text + sizeof text;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do *--at = "0123456789abcdef"[rest & ((1u << bits) - 1)];
  while (rest >>= bits);
  *--at = prefix[1];
  *--at = prefix[0];
  if (number < 0) *--at = '-';
  return make_str(ev, (Str){at, (size_t)(text + sizeof text - at)});
}

static Value based_text(Eval *ev, Value v, int base, const char *prefix) {
  Value index = take_index(ev, v);
  if (index.kind == V_INT)
    return small_based_text(ev, index.i, (unsigned)__builtin_ctz((unsigned)base), prefix);
  Str digits = big_text(ev->arena, index, base);
  bool negative = digits.data[0] == '-';
  return make_str_fmt(ev, "%s%s%s", negative ? "-" : "", prefix, digits.data + negative);
}

static Value f_bin(Eval *ev, Value *a) { return based_text(ev, a[0], 2, "0b"); }

static Value f_oct(Eval *ev, Value *a) { return based_text(ev, a[0], 8, "0o"); }

static Value f_hex(Eval *ev, Value *a) { return based_text(ev, a[0], 16, "0x"); }

// Types whose operators are slots (arrays) need no method for it.
static Value divmod_of_slots(Eval *ev, Value *a) {
  bool plain = value_is_int(a[0]) || value_unwrap(a[0]).kind == V_FLOAT;
  bool other = value_is_int(a[1]) || value_unwrap(a[1]).kind == V_FLOAT;
  Str text;
  if ((plain && other) || value_as_str(a[0], &text) || value_as_str(a[1], &text))
    return v_not_implemented();
  for (int i = 0; i < 2; i++) {
    const TypeSlots *slots = &value_type(ev, a[i])->slots;
    Value quotient =
        slots->binary ? slots->binary(ev, BIN_FLOOR_DIV, a[0], a[1]) : v_not_implemented();
    if (quotient.kind != V_NOT_IMPLEMENTED)
      return make_tuple(ev, 2, (Value[]){quotient, value_binary(ev, BIN_MOD, a[0], a[1])});
  }
  return v_not_implemented();
}

static Value f_divmod(Eval *ev, Value *a) {
  if (a[0].kind == V_INT && a[1].kind == V_INT && a[1].i > 0) {
    int64_t quotient, rest;
    quick_int_binary(BIN_FLOOR_DIV, a[0].i, a[1].i, &quotient);
    quick_int_binary(BIN_MOD, a[0].i, a[1].i, &rest);
    return make_tuple(ev, 2, (Value[]){v_int(quotient), v_int(rest)});
  }
  const struct BuiltinNames *names = &ev->builtin->names;
  Value result = special_call(ev, a[0], names->dunder_divmod, 1, &a[1]);
  if (v_is_unbound(result) || result.kind == V_NOT_IMPLEMENTED)
    result = special_call(ev, a[1], names->dunder_rdivmod, 1, &a[0]);
  if (!v_is_unbound(result) && result.kind != V_NOT_IMPLEMENTED) return result;
  result = divmod_of_slots(ev, a);
  if (result.kind != V_NOT_IMPLEMENTED) return result;
  eval_raise(ev, ev->types.TypeError, "unsupported operand type(s) for divmod(): '%s' and '%s'",
             value_type_name(ev, a[0]), value_type_name(ev, a[1]));
}

static Value f_pow(Eval *ev, Value *a) {
  if (v_is_none(a[2])) return value_binary(ev, BIN_POW, a[0], a[1]);
  Value base = a[0], exponent = a[1], modulus = a[2];
  if (int_operand(&base) && int_operand(&exponent) && int_operand(&modulus))
    return big_pow_mod(ev, base, exponent, modulus);
  double ignored;
  if (value_as_float(a[0], &ignored) && value_as_float(a[1], &ignored))
    eval_raise(ev, ev->types.TypeError,
               "pow() 3rd argument not allowed unless all arguments are integers");
  Value result = special_call(ev, a[0], ev->builtin->names.dunder_pow, 2, &a[1]);
  if (!v_is_unbound(result) && result.kind != V_NOT_IMPLEMENTED) return result;
  eval_raise(ev, ev->types.TypeError,
             "unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'",
             value_type_name(ev, a[0]), value_type_name(ev, a[1]), value_type_name(ev, a[2]));
}

static Value f_round(Eval *ev, Value *a) {
  size_t count = v_is_unbound(a[1]) ? 0 : 1;
  Value result = special_call(ev, a[0], ev->builtin->names.dunder_round, count, &a[1]);
  if (!v_is_unbound(result)) return result;
  eval_raise(ev, ev->types.TypeError, "type %s doesn't define __round__ method",
             value_type_name(ev, a[0]));
}

static bool sum_of_bytes(Eval *ev, Value v, int64_t *sum) {
  Str bytes;
  if (!is_a(v, ev->types.bytes) && !is_a(v, ev->types.bytearray)) return false;
  if (!value_as_bytes(ev, v, &bytes)) return false;
  *sum = 0;
  for (size_t i = 0; i < bytes.len; i++) *sum += (unsigned char)bytes.data[i];
  return true;
}

static Value f_sum(Eval *ev, Value *a) {
  Value total = a[1], item;
  if (value_as_str(total, &(Str){0}))
    eval_raise(ev, ev->types.TypeError, "sum() can't sum strings [use ''.join(seq) instead]");
  if (total.kind == V_OBJECT && total.o->type == ev->types.bytes)
    eval_raise(ev, ev->types.TypeError, "sum() can't sum bytes [use b''.join(seq) instead]");
  int64_t bytes;
  if (total.kind == V_INT && sum_of_bytes(ev, a[0], &bytes))
    return value_binary(ev, BIN_ADD, total, v_int(bytes));
  Walk walk;
  walk_start(ev, &walk, a[0]);
  for (Value sum; walk_next(ev, &walk, &item); count_step(ev))
    total = quick_binary(BIN_ADD, total, item, &sum) ? sum : value_binary(ev, BIN_ADD, total, item);
  return total;
}

// ---- logic over iterables -----------------------------------------------------------------------
static Value f_all(Eval *ev, Value *a) {
  Walk walk;
  walk_start(ev, &walk, a[0]);
  for (Value item; walk_next(ev, &walk, &item); count_step(ev))
    if (!value_truth(ev, item)) return v_bool(false);
  return v_bool(true);
}

static Value f_any(Eval *ev, Value *a) {
  Walk walk;
  walk_start(ev, &walk, a[0]);
  for (Value item; walk_next(ev, &walk, &item); count_step(ev))
    if (value_truth(ev, item)) return v_bool(true);
  return v_bool(false);
}

// The first item no other one beats.
static Value extreme(Eval *ev, Value *a, const char *name, CompareOp op) {
  const Tuple *args = value_as_tuple(a[0]);
  Value key = a[1], fallback = a[2];
  if (args->count == 0)
    eval_raise(ev, ev->types.TypeError, "%s expected at least 1 argument, got 0", name);
  if (args->count > 1 && !v_is_unbound(fallback))
    eval_raise(ev, ev->types.TypeError,
               "Cannot specify a default for %s() with multiple positional arguments", name);
  Walk walk;
  walk_start(ev, &walk, args->count == 1 ? args->items[0] : a[0]);
  Value best = v_unbound(), best_key = v_unbound(), item;
  for (; walk_next(ev, &walk, &item); count_step(ev)) {
    Value item_key = v_is_none(key) ? item : value_call_n(ev, key, 1, &item);
    bool wins = v_is_unbound(best);
    if (!wins && !quick_compare(op, item_key, best_key, &wins)) {
      Value is_beyond = value_compare(ev, op, item_key, best_key);
      ev->truth_use = TRUTH_EXTREME;
      wins = value_truth(ev, is_beyond);
      ev->truth_use = TRUTH_TEST;
    }
    if (!wins) continue;
    best = item;
    best_key = item_key;
  }
  if (!v_is_unbound(best)) return best;
  if (v_is_unbound(fallback))
    eval_raise(ev, ev->types.ValueError, "%s() arg is an empty sequence", name);
  return fallback;
}

static Value f_max(Eval *ev, Value *a) { return extreme(ev, a, "max", CMP_GT); }

static Value f_min(Eval *ev, Value *a) { return extreme(ev, a, "min", CMP_LT); }

static Value f_sorted(Eval *ev, Value *a) {
  List *list = list_new(ev, 0);
  list_extend(ev, list, a[0]);
  list_sort(ev, list, a[1], a[2].kind == V_BOOL ? a[2].i != 0 : take_index64(ev, a[2]) != 0);
  return v_object(list);
}

static Value f_len(Eval *ev, Value *a) { return measured(ev, a, v_int(value_len(ev, a[0]))); }

Value make_call_iterator(Eval *ev, Value function, Value sentinel);

static Value f_iter(Eval *ev, Value *a) {
  if (v_is_unbound(a[1])) return value_iter(ev, a[0]);
  if (!value_is_callable(ev, a[0]))
    eval_raise(ev, ev->types.TypeError, "iter(v, w): v must be callable");
  return make_call_iterator(ev, a[0], a[1]);
}

static Value f_next(Eval *ev, Value *a) {
  Value item;
  if (value_next(ev, a[0], &item)) return item;
  if (v_is_unbound(a[1])) raise_stop_iteration(ev);
  return a[1];
}

// ---- text ---------------------------------------------------------------------------------------
static Value f_ascii(Eval *ev, Value *a) { return str_share(ev, value_ascii(ev, a[0])); }

static Value f_repr(Eval *ev, Value *a) { return str_share(ev, value_repr(ev, a[0])); }

static Value f_chr(Eval *ev, Value *a) {
  Value index = a[0].kind == V_INT ? a[0] : take_index(ev, a[0]);
  if (index.kind == V_OBJECT)
    eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C int");
  if (index.i < 0 || index.i > 0x10ffff)
    eval_raise(ev, ev->types.ValueError, "chr() arg not in range(0x110000)");
  return make_char(ev, (uint32_t)index.i);
}

static Value f_ord(Eval *ev, Value *a) {
  Str text;
  if (value_as_str(a[0], &text)) {
    if (text.len == 1) return v_int((unsigned char)text.data[0]);
    size_t count = text_length(text), at = 0;
    if (count == 1) return v_int(text_next(text, &at));
    eval_raise(ev, ev->types.TypeError,
               "ord() expected a character, but string of length %zu found", count);
  }
  if (value_as_bytes(ev, a[0], &text)) {
    if (text.len == 1) return v_int((unsigned char)text.data[0]);
    eval_raise(ev, ev->types.TypeError,
               "ord() expected a character, but string of length %zu found", text.len);
  }
  eval_raise(ev, ev->types.TypeError, "ord() expected string of length 1, but %s found",
             value_type_name(ev, a[0]));
}

static Value f_format(Eval *ev, Value *a) {
  Str spec;
  if (!value_as_str(a[1], &spec)) {
    eval_raise(ev, ev->types.TypeError, "format() argument 2 must be str, not %s",
               v_is_none(a[1]) ? "None" : value_type_name(ev, a[1]));
  }
  return str_share(ev, value_format(ev, a[0], spec));
}

// ---- print --------------------------------------------------------------------------------------
Value print_target(Eval *ev) {
  if (!ev->builtin->sys) return v_unbound();
  Value now = dict_get_name(ev->builtin->sys->dict, ev->builtin->names.stdout_now);
  Value first = dict_get_name(ev->builtin->sys->dict, ev->builtin->names.stdout_first);
  return v_is_unbound(now) || value_is(now, first) ? v_unbound() : now;
}

static Str print_part(Eval *ev, Value v, const char *name, const char *missing) {
  Str text;
  if (v_is_none(v)) return str_from_c(missing);
  if (value_as_str(v, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "%s must be None or a string, not %s", name,
             value_type_name(ev, v));
}

// Whether a file is of a class of the program's, which sees each part that is written.
static bool sees_parts(Eval *ev, Value file) {
  Value write = type_lookup(ev, value_type(ev, file), name_of(ev, "write"));
  if (is_a(write, ev->types.function)) return !((const Function *)write.o)->module->def;
  return v_is_unbound(write);
}

static void print_parts(Eval *ev, Value file, const Tuple *items, Str separator, Str end) {
  Value between = make_str(ev, separator), last = make_str(ev, end);
  for (size_t i = 0; i < items->count; i++) {
    if (i > 0) value_call_method(ev, file, "write", 1, &between);
    Value text = make_str(ev, value_str(ev, items->items[i]));
    value_call_method(ev, file, "write", 1, &text);
  }
  value_call_method(ev, file, "write", 1, &last);
}

static Value f_print(Eval *ev, Value *a) {
  const Tuple *items = value_as_tuple(a[0]);
  Str separator = print_part(ev, a[1], "sep", " "), end = print_part(ev, a[2], "end", "\n");
  Value file = v_is_none(a[3]) ? print_target(ev) : a[3];
  if (v_is_none(file)) return v_none();
  if (ev->hooks.printing) ev->hooks.printing(ev);
  if (!v_is_unbound(file) && sees_parts(ev, file)) {
    print_parts(ev, file, items, separator, end);
    if (value_truth(ev, a[4])) value_call_method(ev, file, "flush", 0, NULL);
    return v_none();
  }
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < items->count; i++) {
    if (i > 0) buf_str(&buf, separator);
    buf_str(&buf, value_str(ev, items->items[i]));
  }
  buf_str(&buf, end);
  Str text = buf_view(&buf);
  if (v_is_unbound(file)) {
    fwrite(text.data, 1, text.len, ev->out);
    if (value_truth(ev, a[4])) fflush(ev->out);
    return v_none();
  }
  Value item = str_share(ev, text);
  value_call_method(ev, file, "write", 1, &item);
  if (value_truth(ev, a[4])) value_call_method(ev, file, "flush", 0, NULL);
  return v_none();
}

// ---- attributes and classes ---------------------------------------------------------------------
static Name take_attribute(Eval *ev, Value v) {
  Str text;
  if (v.kind == V_OBJECT && v.o->type == ev->types.string && ((const StrObject *)v.o)->name)
    return ((const StrObject *)v.o)->name;
  if (value_as_str(v, &text)) return name_intern(ev->session->interner, text);
  eval_raise(ev, ev->types.TypeError, "attribute name must be string, not '%s'",
             value_type_name(ev, v));
}

typedef struct AttributeLookup {
  Value of, found;
  Name name;
} AttributeLookup;

static void look_up(Eval *ev, void *data) {
  AttributeLookup *lookup = data;
  lookup->found = value_getattr_opt(ev, lookup->of, lookup->name);
}

// Whether an exception says that pallasc does not support what was asked for: no line of the
// program has raised it.
static bool is_refusal(Eval *ev, Value exception) {
  if (!value_is_instance(ev, exception, ev->types.NotImplementedError)) return false;
  const ExceptionObject *e = (const ExceptionObject *)exception.o;
  const SourceFile *file = source_get(ev->session, e->span.file);
  return e->frame_count == 0 || (file && file->is_builtin);
}

// Whether looking the attribute up runs nothing of the program and refuses nothing.
static bool is_looked_up_plainly(Eval *ev, Value of, Name name) {
  Type *type = value_type(ev, of);
  if (type->has_getattribute || type->slots.getattr || type->slots.own ||
      (type->is_heap && !v_is_unbound(type_lookup(ev, type, ev->names->getattr))))
    return false;
  Value found = type_lookup(ev, type, name);
  return found.kind != V_OBJECT || found.o->type == ev->types.function;
}

// Unbound: it has none, and to who only asks for it that is so of a name that is not supported.
static Value attribute_if_there(Eval *ev, Value of, Name name) {
  if (is_looked_up_plainly(ev, of, name)) return value_getattr_opt(ev, of, name);
  AttributeLookup lookup = {of, v_unbound(), name};
  Value exception;
  if (!eval_try(ev, look_up, &lookup, &exception) && !is_refusal(ev, exception))
    eval_raise_value(ev, exception);
  return lookup.found;
}

static Value f_getattr(Eval *ev, Value *a) {
  Name name = take_attribute(ev, a[1]);
  if (v_is_unbound(a[2])) return value_getattr(ev, a[0], name);
  Value found = attribute_if_there(ev, a[0], name);
  return v_is_unbound(found) ? a[2] : found;
}

static Value f_hasattr(Eval *ev, Value *a) {
  return v_bool(!v_is_unbound(attribute_if_there(ev, a[0], take_attribute(ev, a[1]))));
}

static Value f_setattr(Eval *ev, Value *a) {
  value_setattr(ev, a[0], take_attribute(ev, a[1]), a[2]);
  return v_none();
}

static Value f_delattr(Eval *ev, Value *a) {
  value_delattr(ev, a[0], take_attribute(ev, a[1]));
  return v_none();
}

static Value f_callable(Eval *ev, Value *a) { return v_bool(value_is_callable(ev, a[0])); }

static Value f_hash(Eval *ev, Value *a) { return v_int((int64_t)value_hash(ev, a[0])); }

static Value f_id(Eval *ev UNUSED, Value *a) {
  if (a[0].kind == V_OBJECT) return v_int((int64_t)(uintptr_t)a[0].o);
  return v_int((int64_t)((uint64_t)a[0].i << 8 | (uint64_t)a[0].kind << 4) & INT64_MAX);
}

static Value f_isinstance(Eval *ev, Value *a) { return v_bool(value_isinstance(ev, a[0], a[1])); }

static Value f_issubclass(Eval *ev, Value *a) { return v_bool(value_issubclass(ev, a[0], a[1])); }

// ---- namespaces ---------------------------------------------------------------------------------
static Dict *module_dict(Eval *ev) {
  return ev->frame && ev->frame->module ? ev->frame->module->dict : ev->builtins->dict;
}

static Value f_globals(Eval *ev, Value *a UNUSED) { return v_object(module_dict(ev)); }

static Dict *local_names(Eval *ev) {
  const Frame *frame = ev->frame;
  if (frame && frame->class_dict) return frame->class_dict;
  if (!frame || !frame->env) return module_dict(ev);
  return env_names(ev, frame->env);
}

static Value f_locals(Eval *ev, Value *a UNUSED) { return v_object(local_names(ev)); }

static Value f_vars(Eval *ev, Value *a) {
  if (v_is_unbound(a[0])) return v_object(local_names(ev));
  Value dict = value_getattr_opt(ev, a[0], ev->builtin->names.dunder_dict);
  if (v_is_unbound(dict))
    eval_raise(ev, ev->types.TypeError, "vars() argument must have __dict__ attribute");
  return dict;
}

static Value f_dir(Eval *ev, Value *a) {
  if (!v_is_unbound(a[0])) return v_object(value_dir(ev, a[0]));
  List *names = list_new(ev, 0);
  list_extend(ev, names, v_object(local_names(ev)));
  list_sort(ev, names, v_none(), false);
  return v_object(names);
}

static Value f_exit(Eval *ev, Value *a) { raise_with(ev, ev->types.SystemExit, a[0]); }

// ---- what is refused ----------------------------------------------------------------------------
static NORETURN void refuse(Eval *ev, const char *name, const char *why) {
  eval_raise(ev, ev->types.NotImplementedError, "'%s' is not supported: %s", name, why);
}

// _execute.pk's.
static Value f_eval(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "_execute", "eval"), 3, a);
}

static Value f_exec(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "_execute", "exec"), 3, a);
}

static Value f_compile(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "_execute", "compile"), 6, a);
}

// io.pk's.
static Value f_input(Eval *ev, Value *a) {
  if (!ev->options.run) refuse(ev, "input", "a compiler asks nobody; use -D NAME=VALUE");
  return value_call_n(ev, module_lookup(ev, "io", "_ask"), 1, a);
}

// io.pk's.
static Value f_open(Eval *ev, Value *a) {
  ModuleObject *io = module_import(ev, STR("io"));
  Value open = value_getattr_c(ev, v_object(io), "open");
  return value_call_n(ev, open, 8, a);
}

// Gives the module at the top unless names are to be taken from the one below.
static Value f_import(Eval *ev, Value *a) {
  Str name = take_str(ev, a[0], "__import__() argument 1"), package = {0};
  int64_t level = v_is_unbound(a[4]) ? 0 : take_int(ev, a[4], "__import__() argument 5");
  if (level < 0) eval_raise(ev, ev->types.ValueError, "level must be >= 0");
  Dict *globals = v_is_unbound(a[1]) ? NULL : value_as_dict(a[1]);
  if (globals) value_as_str(dict_get_name(globals, ev->names->package), &package);
  Str absolute = import_absolute(ev, package, name, (size_t)level);
  ModuleObject *module = import_dotted(ev, absolute);
  bool is_from = !v_is_unbound(a[3]) && value_truth(ev, a[3]);
  if (is_from) {
    const Tuple *names = value_to_tuple(ev, a[3]);
    for (size_t i = 0; i < names->count; i++)
      import_child(ev, module,
                   name_intern(ev->session->interner,
                               take_str(ev, names->items[i], "Item in ``from list''")));
    return v_object(module);
  }
  const char *dot = memchr(name.data, '.', name.len);
  if (!dot) return v_object(module);
  absolute.len -= name.len - (size_t)(dot - name.data);
  return v_object(import_dotted(ev, absolute));
}

static Value f_breakpoint(Eval *ev, Value *a UNUSED) {
  refuse(ev, "breakpoint", "there is no debugger at trace time");
}

const NativeDef builtin_functions[] = {
    {"abs(x, /)", f_abs},
    {"all(iterable, /)", f_all},
    {"any(iterable, /)", f_any},
    {"ascii(obj, /)", f_ascii},
    {"bin(number, /)", f_bin},
    {"callable(obj, /)", f_callable},
    {"chr(i, /)", f_chr},
    {"delattr(obj, name, /)", f_delattr},
    {"dir(object=, /)", f_dir},
    {"divmod(x, y, /)", f_divmod},
    {"exit(code=None)", f_exit},
    {"quit(code=None)", f_exit},
    {"format(value, format_spec='', /)", f_format},
    {"getattr(object, name, default=, /)", f_getattr},
    {"globals()", f_globals},
    {"hasattr(obj, name, /)", f_hasattr},
    {"hash(obj, /)", f_hash},
    {"hex(number, /)", f_hex},
    {"id(obj, /)", f_id},
    {"isinstance(obj, class_or_tuple, /)", f_isinstance},
    {"issubclass(cls, class_or_tuple, /)", f_issubclass},
    {"iter(object, sentinel=, /)", f_iter},
    {"len(obj, /)", f_len},
    {"locals()", f_locals},
    {"max(*args, key=None, default=)", f_max},
    {"min(*args, key=None, default=)", f_min},
    {"next(iterator, default=, /)", f_next},
    {"oct(number, /)", f_oct},
    {"ord(c, /)", f_ord},
    {"pow(base, exp, mod=None)", f_pow},
    {"print(*args, sep=None, end=None, file=None, flush=False)", f_print},
    {"repr(obj, /)", f_repr},
    {"round(number, ndigits=)", f_round},
    {"setattr(obj, name, value, /)", f_setattr},
    {"sorted(iterable, /, *, key=None, reverse=False)", f_sorted},
    {"sum(iterable, /, start=0)", f_sum},
    {"vars(object=, /)", f_vars},
    {"eval(source, globals=None, locals=None, /)", f_eval},
    {"exec(source, globals=None, locals=None, /, *, closure=None)", f_exec},
    {"compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1)", f_compile},
    {"input(prompt='', /)", f_input},
    {"open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, "
     "opener=None)",
     f_open},
    {"breakpoint(*args, **kwargs)", f_breakpoint},
    {"__import__(name, globals=, locals=, fromlist=, level=)", f_import},
    {0},
};
