// SPDX-License-Identifier: Apache-2.0
// What the files of the builtin types and of the standard modules share among themselves.
#pragma once
#include "builtins.h"
#include "python/modules/module.h"

// Native types beyond those of eval.h: BUILTIN_TYPES(X): field, Python name, module.
// clang-format off
#define BUILTIN_TYPES(X)                                                                           \
  X(getset, "getset_descriptor", "builtins") X(list_iterator, "list_iterator", "builtins")         \
  X(tuple_iterator, "tuple_iterator", "builtins") X(str_iterator, "str_iterator", "builtins")      \
  X(range_iterator, "range_iterator", "builtins") X(bytes_iterator, "bytes_iterator", "builtins")  \
  X(set_iterator, "set_iterator", "builtins")                                                      \
  X(list_reverse_iterator, "list_reverseiterator", "builtins")                                     \
  X(dict_key_iterator, "dict_keyiterator", "builtins")                                             \
  X(dict_value_iterator, "dict_valueiterator", "builtins")                                         \
  X(dict_item_iterator, "dict_itemiterator", "builtins") X(dict_keys, "dict_keys", "builtins")     \
  X(dict_values, "dict_values", "builtins") X(dict_items, "dict_items", "builtins")                \
  X(call_iterator, "callable_iterator", "builtins") X(enumerate, "enumerate", "builtins")          \
  X(zip, "zip", "builtins") X(map, "map", "builtins") X(filter, "filter", "builtins")              \
  X(reversed, "reversed", "builtins") X(closure, "function", "builtins")
// clang-format on

// Interned names used by the natives.
// clang-format off
#define BUILTIN_NAMES(X)                                                                           \
  X(dunder_new, "__new__") X(dunder_init, "__init__") X(dunder_int, "__int__")                     \
  X(dunder_float, "__float__") X(dunder_index, "__index__") X( dunder_trunc, "__trunc__")          \
  X(dunder_round, "__round__") X(dunder_abs, "__abs__") X(dunder_divmod, "__divmod__")             \
  X(dunder_rdivmod, "__rdivmod__") X( dunder_floor, "__floor__") X(dunder_ceil, "__ceil__")        \
  X(dunder_reversed, "__reversed__") X(dunder_missing, "__missing__") X(dunder_dir, "__dir__")     \
  X(dunder_dict, "__dict__") X( dunder_name, "__name__") X(dunder_qualname, "__qualname__")        \
  X(dunder_module, "__module__") X(dunder_doc, "__doc__")                                          \
  X(dunder_annotations, "__annotations__") X(dunder_wrapped, "__wrapped__")                        \
  X( dunder_hash, "__hash__") X(dunder_eq, "__eq__") X(dunder_len, "__len__")                      \
  X(dunder_iter, "__iter__") X(dunder_next, "__next__") X(dunder_getitem, "__getitem__")           \
  X( dunder_instancecheck, "__instancecheck__") X(dunder_subclasscheck, "__subclasscheck__")       \
  X(dunder_init_subclass, "__init_subclass__") X(dunder_set_name, "__set_name__")                  \
  X( dunder_class_getitem, "__class_getitem__") X(dunder_abstractmethods, "__abstractmethods__")   \
  X(dunder_isabstractmethod, "__isabstractmethod__") X(dunder_length_hint, "__length_hint__")      \
  X(dunder_bytes, "__bytes__") X( dunder_format, "__format__") X(dunder_repr, "__repr__")          \
  X(dunder_str, "__str__") X(dunder_contains, "__contains__") X( dunder_call, "__call__")          \
  X(dunder_lt, "__lt__") X(dunder_le, "__le__") X(dunder_gt, "__gt__") X(dunder_ge, "__ge__")      \
  X( dunder_ne, "__ne__") X(dunder_match_args, "__match_args__")                                   \
  X(dunder_post_init, "__post_init__") X( dunder_dataclass_fields, "__dataclass_fields__")         \
  X(dunder_setattr, "__setattr__") X(dunder_delattr, "__delattr__") X(dunder_slots, "__slots__")   \
  X(dunder_get, "__get__") X(dunder_set, "__set__") X( dunder_bool, "__bool__")                    \
  X(dunder_copy, "__copy__") X(dunder_deepcopy, "__deepcopy__") X( dunder_all, "__all__")          \
  X(dunder_origin, "__origin__") X(dunder_args, "__args__") X( dunder_enter, "__enter__")          \
  X(dunder_exit, "__exit__") X(dunder_pow, "__pow__") X(keys, "keys") X(name, "name")              \
  X(value, "value") X(value_private, "_value_") X(name_private, "_name_") X(fields, "_fields")
// clang-format on

typedef struct BuiltinState {
#define X(field, name, module) Type *field;
  BUILTIN_TYPES(X)
#undef X
  struct BuiltinNames {
#define X(field, text) Name field;
    BUILTIN_NAMES(X)
#undef X
  } names;
  VEC(Object *) repr_stack;                    // containers whose repr is being made …
  Map *repr_active;                            // … by object; NULL: none yet
  Type *deque, *deque_iterator, *default_dict; // collections, once imported
  Type *grouper, *tee;                         // itertools
  Type *typing_form, *typing_alias, *type_var, *forward_ref, *generic, *protocol,
      *annotated;                     // typing
  Type *abc_meta;                     // abc.ABCMeta, made when first asked for
  uint64_t abc_version;               // grows when a class may have got new virtual bases
  Value chars[128];                   // the strs of one ASCII character
  struct DataclassTypes *dataclasses; // once imported
  ModuleObject *sys;                  // once it has been imported
  struct RandomState *random;         // std_random.c: of the module's own functions
} BuiltinState;

// ---- builtin_wrap.c: natives as attributes of types ---------------------------------------------
typedef struct NativeGetter { // an attribute that is computed; read only
  const char *name;
  Value (*get)(Eval *ev, Value self);
} NativeGetter;

// What a native type is made of.
typedef struct NativeType {
  TypeSlots slots;
  const NativeDef *methods;    // ends with a NULL signature; or NULL
  const NativeGetter *getters; // ends with a NULL name; or NULL
} NativeType;
void native_type_define(Eval *ev, Type *type, const NativeType *def);
Type *native_type_new(Eval *ev, const char *module, const char *name, Type *base,
                      const NativeType *def);

// A function written in C with data of its own; it binds as functions do if `binds`.
typedef struct Closure {
  Object base;
  Name name, qualname;
  Value (*fn)(Eval *ev, struct Closure *self, const Args *args);
  void *data;
  Value wrapped; // __wrapped__, or unbound
  Dict *dict;    // attributes set on it, or NULL
  bool binds;
} Closure;
Value make_closure(Eval *ev, const char *name, Value (*fn)(Eval *, Closure *, const Args *),
                   void *data, bool binds);

void builtin_wrap_init(Eval *ev);
Name name_of(Eval *ev, const char *text);
// Looks `name` up on the type of `self` and calls it; V_UNBOUND if the type has none.
Value special_call(Eval *ev, Value self, Name name, size_t count, const Value *args);
// The class argument of a native __new__, checked to derive from `native`.
Type *class_argument(Eval *ev, Value cls, Type *native);
NORETURN void raise_with(Eval *ev, Type *type, Value argument); // raise type(argument)
// `value` as what native.__new__(cls) gives: itself, or an Instance of cls with it as payload.
Value payload_wrap(Eval *ev, Type *cls, Type *native, Value value);

// ---- builtin_digits.c: the decimal digits of doubles --------------------------------------------
// |x| in the form 'e', 'f', 'g' or 'r' (shortest; precision is ignored), without a sign; `flags`
// are prt_float_flags (text/prt_float_text.h).
Str float_text(Arena *arena, double x, char form, int64_t precision, unsigned flags);
double
float_round(double x,
            int64_t ndigits); // round(x, ndigits), half to even on the exact value; may give inf

// ---- builtin_bigint.c: integers of any size. Operands are int64 (or bool) Values and BigInts ----
// --------------
#define INT_MAX_STR_DIGITS 4300 // of a conversion from or to decimal text, as CPython
bool value_is_big(Value v);     // a BigInt
Value big_binary(Eval *ev, BinaryOp op, Value a,
                 Value b); // b is not zero for the divisions; op is not DIV
Value big_negate(Eval *ev, Value a);
Value big_invert(Eval *ev, Value a);
double big_true_divide(Eval *ev, Value a, Value b); // correctly rounded; b is not zero
int big_sign(Value a);
int big_compare(Value a, Value b);
int big_compare_double(Value a, double b);        // b is no NaN
bool big_as_double(Value a, double *out);         // to nearest even; false if it is too large
Value big_from_double(Eval *ev, double integral); // finite
Value big_from_u64(Eval *ev, uint64_t u);
bool big_as_u64(Value a, uint64_t *out); // false: negative or too large
// Modulo 2^64, for dtypes that wrap.
uint64_t big_low_bits(Value a);
uint64_t big_hash(Value a);
Value big_parse(Eval *ev, Str digits, int base); // digits only, base 2 … 36
Str big_text(Arena *arena, Value a, int base);   // with '-', lower case
int64_t big_bit_length(Value a);
int64_t big_bit_count(Value a); // of the absolute value
// `size` bytes of two's complement into `out`, least significant first; false if it does not fit.
bool big_to_bytes(Value a, unsigned char *out, size_t size, bool is_signed);
Value big_from_bytes(Eval *ev, const unsigned char *bytes, size_t size, bool is_signed);
Value big_pow_mod(Eval *ev, Value base, Value exponent, Value modulus);
Value big_gcd(Eval *ev, Value a, Value b);
Value big_sqrt(Eval *ev, Value a); // floor; a >= 0
Value big_factorial(Eval *ev, uint64_t n);
Value big_binomial(Eval *ev, Value n, uint64_t k); // n >= 0

// ---- builtin_int.c ------------------------------------------------------------------------------
// Unwraps in place; false if it is no int or bool.
bool int_operand(Value *v);
// An int of any size from an int, bool or anything with __index__; raises "'x' object cannot be
// interpreted as an integer".
Value take_index(Eval *ev, Value v);
Value take_index_opt(Eval *ev, Value v); // V_UNBOUND if it has none
// As take_index, in an int64; OverflowError if it does not fit.
int64_t take_index64(Eval *ev, Value v);
// As take_index, saturating: for the bounds of slices and repeat counts.
int64_t take_index_clamped(Eval *ev, Value v);
Value int_arithmetic(Eval *ev, BinaryOp op, Value a, Value b); // int64s, bools, BigInts
Value int_add(Eval *ev, Value a, Value b);
Value int_multiply(Eval *ev, Value a, Value b);
Value int_divmod(Eval *ev, Value a, Value b, Value *remainder);
Str int_text(Eval *ev, Value v); // decimal; raises above INT_MAX_STR_DIGITS

void builtin_int_init(Eval *ev);

// ---- builtin_text.c: text by code points --------------------------------------------------------
typedef enum TextFlags { // of a code point, as str.isalpha() and so on have it
  TEXT_ALPHA = 1,
  TEXT_DECIMAL = 2,
  TEXT_DIGIT = 4,
  TEXT_NUMERIC = 8,
  TEXT_SPACE = 16,
  TEXT_UPPER = 32,
  TEXT_LOWER = 64,
  TEXT_TITLE = 128,
  TEXT_CASED = 256,
  TEXT_IGNORABLE = 512, // does not end a word for the final sigma
} TextFlags;
typedef enum TextCase { CASE_UPPER, CASE_LOWER, CASE_TITLE, CASE_FOLD } TextCase;
unsigned text_flags(uint32_t code);
void text_put_code(Buf *buf, uint32_t code);
void text_put_case(Buf *buf, uint32_t code, TextCase which);
uint32_t text_simple_case(uint32_t code,
                          TextCase which); // where one code point becomes one, else itself
uint32_t text_next(Str text, size_t *at);  // a malformed byte counts as the code point of its value
bool text_is_ascii(Str text);
size_t text_offset(Str text, size_t index); // of the index-th code point; text.len beyond the end
size_t text_find(Str text, Str wanted, size_t from); // byte offset, SIZE_MAX if absent
size_t text_rfind(Str text, Str wanted, size_t end); // the last that ends at or before `end`
Str text_strip(Str text, bool left, bool right);     // white space
// For reading numbers: white space becomes ' ', decimal digits of any script become ASCII ones, all
// else that is not ASCII '?'.
Str text_number_ascii(Arena *arena, Str text);

// ---- builtin_strformat.c ------------------------------------------------------------------------
// text.format(*args, **names); args NULL: text.format_map(names).
Str text_format(Eval *ev, Str text, const Tuple *args, Value names);

// ---- builtin_slice.c: slices, ranges, and what sequences share ----------------------------------
// The messages of a sequence's indexing.
typedef struct IndexWords {
  const char *type;  // "list indices must be integers or slices, not %s"
  const char *range; // "list index out of range"
} IndexWords;
// An index in [0, length); raises in the sequence's words.
int64_t sequence_index(Eval *ev, Value index, int64_t length, const IndexWords *words);
// The slice that a value is, or NULL.
const SliceObject *value_as_slice(Eval *ev, Value v);
// An optional bound of find(), index() …: None is `missing`; negative ones count from the end; the
// result is in [0, length].
int64_t take_bound(Eval *ev, Value v, int64_t length, int64_t missing);
// The count of sequence * count; false if it is no integer. At least 0; raises if the result would
// not fit memory.
bool repeat_count(Eval *ev, Value v, size_t length, size_t item_size, int64_t *out);
void builtin_slice_init(Eval *ev);

// ---- builtin_str.c, builtin_strmethods.c --------------------------------------------------------
Value str_share(Eval *ev, Str text); // a str on text that stays as it is: not copied
Value make_char(Eval *ev, uint32_t code);
size_t str_count(Value str); // code points of a str
Value str_new(Eval *ev, Value *a);
extern const NativeDef str_methods[];
Str text_encode(Eval *ev, Str text, Value encoding, Value errors); // V_UNBOUND: utf-8, strict
Str text_decode(Eval *ev, Str bytes, Value encoding, Value errors);
void builtin_str_init(Eval *ev);

// ---- builtin_bytes.c ----------------------------------------------------------------------------
Str take_bytes(Eval *ev, Value v); // bytes(v) for a bytes object or an iterable of ints
void builtin_bytes_init(Eval *ev);

// ---- builtin_tuple.c, builtin_list.c, builtin_sort.c --------------------------------------------
bool same_or_equal(Eval *ev, Value a, Value b); // what containers ask of their items
// left op right for items in order, as tuples and lists compare.
Value sequence_compare(Eval *ev, CompareOp op, const Value *a, size_t a_count, const Value *b,
                       size_t b_count);
void put_reprs(Eval *ev, Buf *buf, const Value *items, size_t count); // "1, 'a'"
// Appends the repr of a container.
typedef void ReprBody(Eval *ev, Value self, Buf *out);
// By `body`, or `cyclic` if that is being made already.
void guarded_repr(Eval *ev, Value self, Buf *out, ReprBody *body, const char *cyclic);
Str repr_text(Eval *ev, Value self, ReprBody *put);              // what `put` appends, alone
uint64_t hash_items(Eval *ev, const Value *items, size_t count); // of a tuple
void list_extend(Eval *ev, List *list, Value iterable);
void builtin_tuple_init(Eval *ev);
void builtin_list_init(Eval *ev);
// An iterator's __iter__.
Value iterator_self(Eval *ev, Value self);

// ---- builtin_dict.c, builtin_views.c, builtin_set.c ---------------------------------------------
NORETURN void raise_key_error(Eval *ev, Value key);
void dict_update(Eval *ev, Dict *dict, Value from); // from a mapping or an iterable of pairs
Dict *dict_copy(Eval *ev, const Dict *from);
void dict_clear(Dict *dict);
typedef enum ViewKind { VIEW_KEYS, VIEW_VALUES, VIEW_ITEMS } ViewKind;
Value make_view(Eval *ev, Value owner, ViewKind kind);
Value make_dict_iterator(Eval *ev, Dict *dict, ViewKind kind, bool reverse);
void builtin_dict_init(Eval *ev);
void builtin_views_init(Eval *ev);
Dict *value_as_set(Value v); // set, frozenset and classes derived from them; else NULL
bool dict_has(Eval *ev, const Dict *dict, Value key);
void set_add(Eval *ev, Dict *set, Value item);
Dict *set_from(Eval *ev, Value iterable); // a new set
// a op b as sets, into a new one.
Dict *set_combine(Eval *ev, BinaryOp op, const Dict *a, const Dict *b, bool frozen);
Value set_order_compare(Eval *ev, CompareOp op, const Dict *a, const Dict *b); // subset and so on
void builtin_set_init(Eval *ev);

// ---- builtin_descr.c, builtin_generic.c ---------------------------------------------------------
Value make_mapping_proxy(Eval *ev, Value mapping);
void builtin_descr_init(Eval *ev);
void builtin_generic_init(Eval *ev);
Tuple *type_parameters(Eval *ev, const Value *args,
                       size_t count); // the type variables among them, each once
Tuple *type_substitute(Eval *ev, Value alias, const Tuple *old, const Tuple *parameters,
                       Value index);
Str annotation_repr(Eval *ev, Value v); // how types are written inside list[…] and unions

// ---- builtin_iter.c, builtin_func.c -------------------------------------------------------------
void builtin_iter_init(Eval *ev);
Str value_name_text(Eval *ev, Value v, const char *what); // an attribute's name

// ---- builtin_exceptions.c -----------------------------------------------------------------------
// An exception of the builtins by name, those that eval.h does not list included.
Type *builtin_exception(Eval *ev, const char *name);
void builtin_exceptions_init(Eval *ev);

// ---- builtin_float.c ----------------------------------------------------------------------------
// Of anything float() takes except text: __float__, __index__. Raises "must be real number, not x".
double take_real(Eval *ev, Value v);
void builtin_float_init(Eval *ev);

// ---- std_abc.c ----------------------------------------------------------------------------------
Type *abc_meta(Eval *ev);
void abc_update(Eval *ev, Type *type); // sets __abstractmethods__
bool abc_subclass_check(Eval *ev, Type *cls, Type *sub);
Type *abc_class_new(Eval *ev, Type *meta, const char *module, const char *name, Tuple *bases,
                    Dict *dict);
