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
  X(object, "object") X(type, "type") X(none, "NoneType") X(integer, "int") X(boolean, "bool")     \
  X(floating, "float") X(complex, "complex") X(string, "str") X(bytes, "bytes") X(tuple, "tuple")  \
  X(list, "list") X(dict, "dict") X(set, "set") X(frozenset, "frozenset") X(slice, "slice")        \
  X(range, "range") X(ellipsis, "ellipsis") X(not_implemented, "NotImplementedType")               \
  X(function, "function") X(method, "method") X(native, "builtin_function_or_method")              \
  X(module, "module") X(property, "property") X(class_method, "classmethod")                       \
  X(static_method, "staticmethod") X(super, "super") X(generator, "generator")                     \
  X(iterator, "iterator") X(mapping_proxy, "mappingproxy") X(union_type, "UnionType")              \
  X(generic_alias, "GenericAlias") X(partial, "partial") X(bytearray, "bytearray")                 \
  X(memoryview, "memoryview")
// clang-format on
// EXCEPTIONS(X): name, base.
// clang-format off
#define EVAL_EXCEPTIONS(X)                                                                         \
  X(BaseException, BaseException) X(Exception, BaseException) X(SystemExit, BaseException)         \
  X(KeyboardInterrupt, BaseException) X(GeneratorExit, BaseException) X(ArithmeticError, Exception)                                \
  X(ZeroDivisionError, ArithmeticError) X(OverflowError, ArithmeticError)                          \
  X(FloatingPointError, ArithmeticError) X(AssertionError, Exception)                              \
  X(AttributeError, Exception) X(ImportError, Exception) X(ModuleNotFoundError, ImportError)       \
  X(LookupError, Exception) X(IndexError, LookupError) X(KeyError, LookupError)                    \
  X(NameError, Exception) X(UnboundLocalError, NameError) X(OSError, Exception)                    \
  X(FileNotFoundError, OSError) X(RuntimeError, Exception) X(NotImplementedError, RuntimeError)    \
  X(RecursionError, RuntimeError) X(StopIteration, Exception) X(SyntaxError, Exception)            \
  X(TypeError, Exception) X(ValueError, Exception) X(UnicodeError, ValueError)                     \
  X(MemoryError, Exception) X(Warning, Exception) X(UserWarning, Warning)                          \
  X(DeprecationWarning, Warning) X(FutureWarning, Warning) X(RuntimeWarning, Warning)
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
  const Value *show;      // called with what expressions that are statements give, or NULL
  int depth;
} Frame;

typedef struct EvalOptions {
  const Str *include_dirs; // -I, then PALLASC_PATH
  size_t include_count;
  Str third_party; // the folder of stand-ins for packages of others, looked through last; or empty
  Str site_packages; // of an installed JAX, for modules of it that we do not provide; or empty
  bool customary;    // the main file has what a .pk file has, whatever its ending
  // -D NAME=VALUE: a module constant of the main file, VALUE a Python expression.
  const Str *define_names;
  const Str *define_values;
  const bool *define_is_others; // of each: no hint if the module assigns no such name; or NULL
  size_t define_count;
  uint64_t max_steps;      // statements and calls at trace time; 0: the default of 1e9
  int max_depth;           // nested calls; 0: the default of 1000
  const Str *program_args; // sys.argv behind the file
  size_t program_arg_count;
  // Where the stack of the caller ends that may point at objects: they are collected; NULL: they
  // live as long as the evaluator.
  const void *stack_end;
  bool run;        // __name__ is "__main__", module statements on arrays are run
  Str tpu;         // "v5p"
  bool debug_info; // where values come from is kept for debuggers
  bool check;      // the code that is made is checked while it runs
  bool strict_tpu; // what the chip's compiler would refuse is an exception of the call
  int devices;     // 0: not said; then the program may, else it has one
} EvalOptions;
#define EVAL_DEFAULT_MAX_STEPS 1000000000u
#define EVAL_DEFAULT_MAX_DEPTH 1000

// What a floor above wants to be asked about calls and names; NULL: nothing.
struct ArgumentRule;
typedef struct CallHooks {
  // What is to hold of the arguments of a function of a provided module; NULL: nothing.
  const struct ArgumentRule *(*rule)(Eval *ev, const ModuleObject *module, Name function);
  // Before a function with a rule runs: raises where its arguments are not as the rule has them.
  // True: *result is what the call gives, and the function does not run.
  bool (*answer)(Eval *ev, const struct ArgumentRule *rule, const Params *params,
                 const Value *defaults, const Value *slots, Value *result);
  // The parameters of a Python function have been bound to `slots`; ev->frame is its own. Asked
  // only while `hears_calls`.
  void (*bound)(Eval *ev, const Function *f, const Value *slots);
  bool hears_calls;
  // A call of a Python function begins, whose frame is the running one; it has ended, and its
  // caller's is. NULL: nobody counts calls.
  void (*entered)(Eval *ev, Function *f);
  void (*left)(Eval *ev);
  // A value has been given to a variable.
  void (*assigned)(Eval *ev, Name variable, Value value);
  // "did you mean 'jnp.int4'?" of a name that nothing in the module is called; else empty.
  Str (*suggest)(Eval *ev, const ModuleObject *module, Name name);
  // What the running function, whose own `name` has no value yet, does instead of assigning to the
  // variable of that name outside; else empty.
  Str (*assigned_outer)(Eval *ev, Name name);
  // What a function inside the running one does instead of assigning to a variable `name` that the
  // running one is to read, behind a sentence; else empty.
  Str (*assigned_inner)(Eval *ev, Name name);
  // "did you mean 'jax.tree.map'?" of an attribute that a value lacks, as others call it; else
  // empty.
  Str (*foreign_name)(Eval *ev, Value of, Name name);
  // What there is instead of a package that cannot be imported; else empty.
  Str (*foreign_package)(Name name);
  // Of a call with too many arguments, of which the first were given to `slots`: those that belong
  // together; else empty.
  Str (*foreign_position)(Eval *ev, const Params *params, const Value *slots);
  // How `function` is called, which lacks an argument for this parameter; else empty.
  Str (*foreign_missing)(Str function, Name parameter);
  // "did you mean 'axis'?" of a keyword that no parameter is called; else empty.
  Str (*foreign_keyword)(Eval *ev, const Params *params, Name name);
  // The program is about to print: what it has printed before by other ways is to come first.
  void (*printing)(Eval *ev);
} CallHooks;

// What the truth of a value is asked for.
typedef enum TruthUse {
  TRUTH_TEST,      // if, while, x if c else y
  TRUTH_OPERAND,   // and, or, not, a < b < c
  TRUTH_ASSERTION, // assert
  TRUTH_EXTREME,   // max, min
} TruthUse;

struct Eval {
  Session *session;
  Arena *arena;
  EvalOptions options;
  EvalTypes types;
  struct EvalNames *names; // interned dunder names (names.h)
  Frame *frame;
  TruthUse truth_use;      // of the truth that is being asked for
  Span span;               // of the expression being evaluated: where an exception is raised
  struct Handler *handler; // innermost eval_try
  Value exception;         // the one in flight or being handled
  // Of a type that can be discarded: what the native that has just returned made, and what the last
  // call or operator gave, if no other reference to it can be left (fresh.h).
  Object *made, *fresh;
  const Value *measured; // that native's arguments, if it has kept none and gives a number
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
  // Set at any time, from any thread, by eval_interrupt.
  _Atomic bool is_interrupted;
  _Atomic uint64_t came, handled; // signals that did it, a bit each; those that the program handles
  uint64_t step_limit;            // that options.max_steps stands for, but when interrupted
  bool was_stopped;               // KeyboardInterrupt came out of the program; it was reported
  bool has_exited;                // SystemExit came out of the program …
  int exit_status;                // … with this status; it is not a diagnostic
};

// Of a signal, 1 to 64, in `came` and `handled`.
static inline uint64_t signal_bit(int signal) { return (uint64_t)1 << (signal - 1); }

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

// ---- statements and expressions (stmt.c, expr.c) ------------------------------------------------
typedef enum Flow { FLOW_NEXT, FLOW_RETURN, FLOW_BREAK, FLOW_CONTINUE } Flow;
