// SPDX-License-Identifier: Apache-2.0
// The evaluator: runs the Python of a file at trace time. Operations on arrays and refs are
// recorded in the kernel IR (array.h).
//
// Errors are Python exceptions: eval_raise does not return; it longjmps to the innermost eval_try,
// which exists only in eval_try, so no C function needs volatile locals. Whatever is allocated is
// in ev->arena, so nothing leaks. A C function that must restore state when an exception passes
// (the IR builder's place, for instance) uses eval_try and raises again.
// An exception that nobody catches becomes a diagnostic at its span with the frames of the trace:
// "error: ValueError: …".
#pragma once
#include "value.h"

// Types and exceptions of Python, made by eval_new. TYPES(X): field name, Python name.
// clang-format off
#define EVAL_TYPES(X)                                                                              \
  X(object, "object") X(type, "type") X(none, "NoneType") X(boolean, "bool") X(integer, "int")     \
  X(floating, "float") X(complex, "complex") X(string, "str") X(bytes, "bytes") X(tuple, "tuple")  \
  X(list, "list") X(dict, "dict") X(set, "set") X(frozenset, "frozenset") X(slice, "slice")        \
  X(range, "range") X(ellipsis, "ellipsis") X(not_implemented, "NotImplementedType")               \
  X(function, "function") X(method, "method") X(native, "builtin_function_or_method")              \
  X(module, "module") X(property, "property") X(class_method, "classmethod")                       \
  X(static_method, "staticmethod") X(super, "super") X(generator, "generator")                     \
  X(iterator, "iterator") X(mapping_proxy, "mappingproxy") X(union_type, "UnionType")              \
  X(generic_alias, "GenericAlias") X(partial, "partial")
// clang-format on
// EXCEPTIONS(X): name, base.
// clang-format off
#define EVAL_EXCEPTIONS(X)                                                                         \
  X(BaseException, BaseException) X(Exception, BaseException) X(SystemExit, BaseException)         \
  X(KeyboardInterrupt, BaseException) X(ArithmeticError, Exception)                                \
  X(ZeroDivisionError, ArithmeticError) X(OverflowError, ArithmeticError)                          \
  X(FloatingPointError, ArithmeticError) X(AssertionError, Exception)                              \
  X(AttributeError, Exception) X(ImportError, Exception) X(ModuleNotFoundError, ImportError)       \
  X(LookupError, Exception) X(IndexError, LookupError) X(KeyError, LookupError)                    \
  X(NameError, Exception) X(UnboundLocalError, NameError) X(OSError, Exception)                    \
  X(FileNotFoundError, OSError) X(RuntimeError, Exception) X(NotImplementedError, RuntimeError)    \
  X(RecursionError, RuntimeError) X(StopIteration, Exception) X(SyntaxError, Exception)            \
  X(TypeError, Exception) X(ValueError, Exception) X(UnicodeError, ValueError)                     \
  X(MemoryError, Exception) X(Warning, Exception) X(UserWarning, Warning)                          \
  X(DeprecationWarning, Warning) X(FutureWarning, Warning) X(RuntimeWarning, Warning)              \
  X(ConcretizationTypeError, TypeError) X(TracerBoolConversionError, ConcretizationTypeError)      \
  X(TracerArrayConversionError, TypeError) X(TracerIntegerConversionError, TypeError)              \
  X(UnexpectedTracerError, RuntimeError) X(JaxRuntimeError, RuntimeError)
// clang-format on

typedef struct EvalTypes {
#define X(field, name) Type *field;
  EVAL_TYPES(X)
#undef X
#define X(name, base) Type *name;
  EVAL_EXCEPTIONS(X)
#undef X
} EvalTypes;

// A running call: for the frames of diagnostics, for super(), locals().
typedef struct Frame {
  struct Frame *caller;
  Name function; // "<module>", "<lambda>", …
  Span call;     // where it was called from
  ModuleObject *module;
  Env *env;               // NULL at module level and in class bodies
  Dict *class_dict;       // of a class body being run, or NULL
  const Function *code;   // or NULL
  struct ClassBody *body; // of a class body being run, or NULL
  int depth;
} Frame;

typedef struct EvalOptions {
  const Str *include_dirs; // -I, then PALLASC_PATH
  size_t include_count;
  Str third_party; // the folder of stand-ins for packages of others, looked through last; or empty
  // -D NAME=VALUE: a module constant of the main file, VALUE a Python expression.
  const Str *define_names;
  const Str *define_values;
  size_t define_count;
  uint64_t max_steps; // statements and calls at trace time; 0: the default of 1e9
  int max_depth;      // nested calls; 0: the default of 1000
  bool run;           // __name__ is "__main__", module statements on arrays are run
  Str tpu;            // "v5p"
  int devices;
} EvalOptions;
#define EVAL_DEFAULT_MAX_STEPS 1000000000u
#define EVAL_DEFAULT_MAX_DEPTH 1000

// What a floor above wants to be asked about calls; NULL: nothing.
struct ArgumentRule;
typedef struct CallHooks {
  // What is to hold of the arguments of a function of a provided module; NULL: nothing.
  const struct ArgumentRule *(*rule)(Eval *ev, const ModuleObject *module, Name function);
  // Raises where the arguments of a call are not as the function's rule has them.
  void (*check)(Eval *ev, const struct ArgumentRule *rule, const Params *params,
                const Value *slots);
  // The parameters of a Python function have been bound to `slots`.
  void (*bound)(Eval *ev, const Function *f, const Value *slots);
} CallHooks;

struct Eval {
  Session *session;
  Arena *arena;
  EvalOptions options;
  EvalTypes types;
  struct EvalNames *names; // interned dunder names (names.h)
  Frame *frame;
  Span span;               // of the expression being evaluated: where an exception is raised
  struct Handler *handler; // innermost eval_try
  Value exception;         // the one in flight or being handled
  uint64_t steps;
  void (*before_step)(Eval *); // if set: called before each statement, call and comprehended item
  ModuleObject *builtins;
  ModuleObject *main;
  Dict *modules;                // by dotted name
  struct NumpyState *numpy;     // numpy_state.h: of the arrays of the host
  struct TraceState *trace;     // array.h: where operations on arrays are recorded
  struct BuiltinState *builtin; // builtins.h: native types and state of the standard modules
  FILE *out;                    // of print
  struct EvalCore *core;        // state of the core itself (core.h)
  CallHooks hooks;
  bool has_exited; // SystemExit came out of the program …
  int exit_status; // … with this status; it is not a diagnostic
};

// How natives and classes written in Python meet (builtins.h says more):
//  - type_lookup gives a native type's slots as dunder methods too (`int.__add__`,
//  `super().__len__`): nothing is to be done for it.
//  - A native type whose slots have `compare` but no `hash` is unhashable, as in Python.
//  - binary and compare give V_NOT_IMPLEMENTED for operands they do not know; TypeErrors like
//  "unsupported operand type(s) for +: …",
//    "can only concatenate str (not "int") to str" and "can't multiply sequence by non-int of type
//    'float'" are made by value_binary.
//  - compare is called with self on the left; binary with self on either side.
//  - int, float and bool among themselves: arithmetic that does not overflow and all comparisons
//  are done before slots are asked.

// ---- life (eval.c) ------------------------------------------------------------------------------
Eval *eval_new(Session *session, const EvalOptions *options);
// Runs a parsed file as the main module. False after diagnostics.
bool eval_main(Eval *ev, Module *module);
// Calls body under eval_try; an exception that comes out becomes a diagnostic. False if there was
// one.
bool eval_protect(Eval *ev, void (*body)(Eval *, void *), void *data);

// ---- exceptions (raise.c) -----------------------------------------------------------------------
NORETURN void eval_raise(Eval *ev, Type *type, const char *fmt, ...) PRINTF_LIKE(3, 4);
NORETURN void eval_raise_at(Eval *ev, Span span, Type *type, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
NORETURN void eval_raise_value(Eval *ev, Value exception);
// Runs body(ev, data). True if it returned; false if it raised, the exception then in *exception.
// The frame, span and handler are restored.
bool eval_try(Eval *ev, void (*body)(Eval *, void *), void *data, Value *exception);
bool exception_matches(Eval *ev, Value exception, Value type_or_tuple);
// Turns an exception into a diagnostic.
void exception_report(Eval *ev, Value exception);
// Gives a diagnostic about the text of `module` the frames of the import that runs now.
void eval_frames_of_import(Eval *ev, Diag *diag, Name module);
// A warning at the current span with the frames of the trace.
void eval_warn(Eval *ev, WarningGroup group, const char *fmt, ...) PRINTF_LIKE(3, 4);
// Counts a step; raises when the limit is reached. Called by loops and calls.
void eval_step(Eval *ev);
// Raises RecursionError when the C stack runs out: to be called by C functions that recurse over
// values (repr, hash, ==).
void eval_check_stack(Eval *ev);

// ---- the object protocol (object.c) -------------------------------------------------------------
Type *value_type(Eval *ev, Value v);
const char *value_type_name(Eval *ev, Value v);
bool value_is_instance(Eval *ev, Value v, const Type *type);
bool type_is_subtype(const Type *type, const Type *base);
// Through the MRO, V_UNBOUND if absent; no binding.
Value type_lookup(Eval *ev, Type *type, Name name);
Value value_getattr(Eval *ev, Value v, Name name); // raises AttributeError with the nearest name
Value value_getattr_opt(Eval *ev, Value v, Name name); // V_UNBOUND if absent
Value value_getattr_c(Eval *ev, Value v, const char *name);
void value_setattr(Eval *ev, Value v, Name name, Value value);
void value_delattr(Eval *ev, Value v, Name name);
Value value_getitem(Eval *ev, Value v, Value index);
void value_setitem(Eval *ev, Value v, Value index, Value value);
void value_delitem(Eval *ev, Value v, Value index);
bool value_contains(Eval *ev, Value container, Value item);
int64_t value_len(Eval *ev, Value v);
int64_t value_len_opt(Eval *ev, Value v); // -1 if it has none
bool value_truth(
    Eval *ev,
    Value v); // of an array that is traced: TracerBoolConversionError, naming what to use instead
bool value_is(Value a, Value b);                               // identity; small values by value
bool value_equal(Eval *ev, Value a, Value b);                  // truth of ==
Value value_compare(Eval *ev, CompareOp op, Value a, Value b); // any op; may give an array
bool order_holds(CompareOp op,
                 int order); // of two of which the first is less (< 0), equal (0), or greater
Value value_binary(Eval *ev, BinaryOp op, Value a, Value b);
Value value_inplace(Eval *ev, BinaryOp op, Value a, Value b);
Value value_unary(Eval *ev, UnaryOp op, Value a);
uint64_t value_hash(Eval *ev, Value v);
Str value_repr(Eval *ev, Value v);
// The same appended to a text: what is nested is not copied once a level.
void value_put_repr(Eval *ev, Value v, Buf *out);
Str value_str(Eval *ev, Value v);
Str value_format(Eval *ev, Value v, Str spec);
// An iterator; raises TypeError if not iterable.
Value value_iter(Eval *ev, Value v);
bool value_next(Eval *ev, Value iterator, Value *out); // false at the end
// All items of an iterable as a tuple.
Tuple *value_to_tuple(Eval *ev, Value v);
bool value_is_callable(Eval *ev, Value v);
Str value_ascii(Eval *ev, Value v); // repr with escapes for all that is not ASCII
List *value_dir(Eval *ev, Value v); // dir(v), sorted
bool value_isinstance(
    Eval *ev, Value v,
    Value classes); // a class, a tuple or a union of them; __instancecheck__ is honoured
bool value_issubclass(Eval *ev, Value type, Value classes);

// ---- calls (call.c) -----------------------------------------------------------------------------
Value value_call(Eval *ev, Value f, const Args *args);
Value value_call_n(Eval *ev, Value f, size_t count, const Value *items);
Value value_call_method(Eval *ev, Value self, const char *name, size_t count, const Value *items);
// Calls a Python function and gives its value; the frame is pushed and popped.
Value function_call(Eval *ev, Function *f, const Args *args);
// The i-th parameter's annotation, evaluated where the function was defined; its text if that
// fails; V_UNBOUND if it has none.
// i == params->count: the return annotation.
Value function_annotation(Eval *ev, Function *f, size_t i);
// Raises the NameError of a parameter's annotation that names what is not there, as Python does at
// the def.
void function_check_annotations(Eval *ev, Function *f);
Dict *value_annotations(Eval *ev, Value function_or_class); // __annotations__; NULL if v has none
Str function_repr_name(Eval *ev, Value f); // what error messages call it: "C.method()", "len()"

// ---- making values (value_new.c)
// ---------------------------------------------------------------------
Value make_str(Eval *ev, Str text); // copied
Value make_str_c(Eval *ev, const char *text);
Value make_str_fmt(Eval *ev, const char *fmt, ...) PRINTF_LIKE(2, 3);
Value make_name(Eval *ev, Name name);     // a str
Tuple *tuple_new(Eval *ev, size_t count); // items V_UNBOUND: fill them
Value make_tuple(Eval *ev, size_t count, const Value *items);
Value make_tuple_i64(Eval *ev, size_t count, const int64_t *items);
List *list_new(Eval *ev, size_t capacity);
void list_push(Eval *ev, List *list, Value item);
Dict *dict_new(Eval *ev);
Value dict_get(Eval *ev, const Dict *dict, Value key); // V_UNBOUND if absent
Value dict_get_name(const Dict *dict, Name name);      // key is a str of that name
void dict_set(Eval *ev, Dict *dict, Value key, Value value);
void dict_set_name(Eval *ev, Dict *dict, Name name, Value value);
bool dict_remove(Eval *ev, Dict *dict, Value key);
bool dict_next(const Dict *dict, size_t *it, DictEntry **entry); // insertion order
Dict *set_new(Eval *ev, bool frozen);
Value make_slice(Eval *ev, Value start, Value stop, Value step);
Instance *instance_new(Eval *ev, Type *type);
ExceptionObject *exception_new(Eval *ev, Type *type, Str message);
// A native type: name, bases (NULL: object), slots and methods. `methods` ends with a NULL
// signature.
Type *type_new_native(Eval *ev, const char *module, const char *name, Type *base,
                      const TypeSlots *slots, const NativeDef *methods);
// type(name, bases, dict): C3 order, __set_name__, __init_subclass__.
Type *type_new(Eval *ev, Name name, Tuple *bases, Dict *dict, const Args *keywords);
Value make_native(Eval *ev, const NativeDef *def);
ModuleObject *module_new(Eval *ev, Name name,
                         SourceFile *file); // empty, __name__ set; not yet in ev->modules

// ---- taking values apart (value_convert.c): raise TypeError naming `what` ("shape", "argument
// 'axis' of jnp.sum()") ---- Int, bool, NumPy integer, __index__; a traced value:
// TracerIntegerConversionError.
int64_t take_int(Eval *ev, Value v, const char *what);
double take_float(Eval *ev, Value v, const char *what);
bool take_bool(Eval *ev, Value v, const char *what);
Str take_str(Eval *ev, Value v, const char *what);
bool value_as_int(Eval *ev, Value v, int64_t *out);  // false: not an integer (or a traced one)
bool value_as_float(Eval *ev, Value v, double *out); // float or int
bool value_as_str(Value v, Str *out);                // str and classes derived from it
Tuple *value_as_tuple(Value v); // tuple and classes derived from it (NamedTuple), else NULL
List *value_as_list(Value v);
Dict *value_as_dict(Value v);          // dict and classes derived from it
bool value_is_type(Eval *ev, Value v); // a class
Value value_unwrap(
    Value v); // of an instance of a class derived from int, str, …: the underlying value

// ---- statements and expressions (stmt.c, expr.c) ------------------------------------------------
Value eval_expr(Eval *ev, const Expr *expr);
typedef enum Flow { FLOW_NEXT, FLOW_RETURN, FLOW_BREAK, FLOW_CONTINUE } Flow;
Flow eval_block(Eval *ev, const StmtList *body, Value *result); // result is set for FLOW_RETURN
void eval_assign(Eval *ev, const Expr *target, Value value);
