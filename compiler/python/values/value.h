// SPDX-License-Identifier: Apache-2.0
// Trace-time values: Python's objects. Small things are held in the Value itself, the rest are
// objects in the evaluator's arena, which is collected.
#pragma once
#include "base/buf.h"
#include "base/collected.h"
#include "base/diag.h"
#include "base/dtype.h"
#include "base/map.h"
#include "syntax/ast.h"

typedef struct Eval Eval;
typedef struct Object Object;
typedef struct Type Type;

typedef enum ValueKind {
  V_UNBOUND, // no value: an unbound slot, "not found"; never seen by a Python program
  V_NONE,
  V_BOOL, // .i is 0 or 1
  V_INT,  // fits an int64; larger ones are BigInt objects
  V_FLOAT,
  V_ELLIPSIS,
  V_NOT_IMPLEMENTED,
  V_OBJECT,
} ValueKind;

// The kind, a ValueKind, is a whole word: two registers hold a value, and nothing is put together.
// Nor is there padding, in which half an address would look like a whole one to the collector.
typedef struct Value {
  uint64_t kind;
  union {
    int64_t i;
    double f;
    Object *o;
  };
} Value;

static inline Value v_unbound(void) { return (Value){.kind = V_UNBOUND}; }
static inline Value v_none(void) { return (Value){.kind = V_NONE}; }
static inline Value v_bool(bool b) { return (Value){.kind = V_BOOL, .i = b}; }
static inline Value v_int(int64_t i) { return (Value){.kind = V_INT, .i = i}; }
static inline Value v_float(double f) { return (Value){.kind = V_FLOAT, .f = f}; }
static inline Value v_ellipsis(void) { return (Value){.kind = V_ELLIPSIS}; }
static inline Value v_not_implemented(void) { return (Value){.kind = V_NOT_IMPLEMENTED}; }
static inline Value v_object(void *o) { return (Value){.kind = V_OBJECT, .o = (Object *)o}; }
static inline bool v_is_none(Value v) { return v.kind == V_NONE; }
static inline bool v_is_unbound(Value v) { return v.kind == V_UNBOUND; }

// Every object begins with its type.
struct Object {
  Type *type;
};

// The arguments of a call, positional and by keyword. The arrays live as long as the call.
typedef struct Args {
  size_t count;
  const Value *items;
  size_t kw_count;
  const Name *kw_names;
  const Value *kw_values;
} Args;

// What a type can do in C. A NULL slot means: look the dunder method up in the type's MRO, then
// fail as Python does.
// Classes written in Python have their slots NULL (or inherited from a native base); slots of
// native types are used directly.
// Slots raise (do not return) on error, except that binary and compare return V_NOT_IMPLEMENTED to
// let the other operand try, and getattr returns V_UNBOUND for "no such attribute".
typedef struct TypeSlots {
  // Tried after the type's dict (data and methods), before failing.
  Value (*getattr)(Eval *ev, Value self, Name name);
  const char *attributes; // the names that it gives, for dir(): "shape dtype"; or NULL
  // Of super objects and modules: tried before the type's own attributes.
  Value (*own)(Eval *ev, Value self, Name name);
  // False: no such attribute can be set.
  bool (*setattr)(Eval *ev, Value self, Name name, Value value);
  Value (*call)(Eval *ev, Value self, const Args *args);
  // The type itself, not a class derived from it, is called; unbound: it does not take so many
  // arguments, or these.
  Value (*make)(Eval *ev, const Args *args);
  Value (*binary)(Eval *ev, BinaryOp op, Value left, Value right); // self is either side
  Value (*inplace)(Eval *ev, BinaryOp op, Value left,
                   Value right); // x op= y; V_NOT_IMPLEMENTED: use binary
  Value (*unary)(Eval *ev, UnaryOp op, Value self);
  Value (*compare)(Eval *ev, CompareOp op, Value left, Value right); // EQ … GE only
  Value (*getitem)(Eval *ev, Value self, Value index);
  void (*setitem)(Eval *ev, Value self, Value index, Value value);
  void (*delitem)(Eval *ev, Value self, Value index);
  bool (*contains)(Eval *ev, Value self, Value item);
  int64_t (*len)(Eval *ev, Value self);
  bool (*truth)(Eval *ev, Value self);
  uint64_t (*hash)(Eval *ev, Value self);
  Str (*repr)(Eval *ev, Value self);
  void (*put_repr)(Eval *ev, Value self, Buf *out); // of containers: the same as repr, appended
  Str (*str)(Eval *ev, Value self);                 // NULL: repr
  Str (*format)(Eval *ev, Value self, Str spec);    // NULL: str, spec must be empty
  Value (*iter)(Eval *ev, Value self);              // an iterator object
  bool (*next)(Eval *ev, Value self, Value *out);   // false: exhausted
  size_t (*hint)(const Eval *ev,
                 Value self); // of iterators: how many items are left, as far as that is known
  // Of iterators whose items are tuples that are made for each step: of how many items those are
  // (0: that is not known), and the items of the next one without a tuple.
  size_t (*width)(Value self);
  bool (*next_items)(Eval *ev, Value self, Value *out);
  int64_t (*index)(Eval *ev, Value self); // __index__; NULL: not usable as an integer
  Value (*descr_get)(Eval *ev, Value self, Value instance,
                     Type *owner); // instance V_UNBOUND: looked up on the class
  bool (*descr_set)(Eval *ev, Value self, Value instance,
                    Value value); // non-NULL makes it a data descriptor
  bool call_keeps_nothing;        // where the result of `call` is made(), it has kept no argument
  bool copies_items;              // `setitem` keeps neither the item nor the index
  // Of a number: that as a number of Python; false: it is none, or float() has more to say of it.
  bool (*number)(Eval *ev, Value self, Value *out);
  // The object is not used any more: its memory may go. A type that has it makes results of its
  // binary, unary and compare slots that share nothing with the operands.
  void (*discard)(Eval *ev, Value self);
  // Of those: whether an item that getitem has given was made by it, and shares nothing with self.
  bool (*is_own)(Value item);
} TypeSlots;

typedef struct Dict Dict;
// Which struct the instances of a native type are, where that must be known without an Eval.
typedef enum LayoutTag {
  LAYOUT_OTHER,
  LAYOUT_STR,
  LAYOUT_TUPLE,
  LAYOUT_LIST,
  LAYOUT_DICT,
  LAYOUT_SET,
  LAYOUT_INT,
} LayoutTag;

struct Type {
  Object base; // its metatype: ev->types.type
  Name name;
  Name qualname;
  Name module;
  const char *full_name; // of types that CPython has in C, outside of builtins: with the module
  Type **bases;
  size_t base_count;
  Type **mro; // C3, itself first
  size_t mro_count;
  Dict *dict; // attributes and methods, keys are str
  TypeSlots slots;
  bool is_heap;             // made by a class statement or type(): attributes may be set on it
  bool is_exception;        // derives from BaseException
  bool instances_have_dict; // instances are Instance (classes written in Python)
  uint8_t room; // entries that the dicts of its instances have had, as far as such dicts are small
  LayoutTag
      layout; // native types derived from str, tuple, list, dict, set natively share their layout
  bool is_final;    // may not be derived from
  bool is_abstract; // has abstract methods: cannot be instantiated (set with `__abstractmethods__`)
  bool
      lacks_dict; // of a class with __slots__ (and bases likewise): attributes are its members only
  bool has_getattribute;           // a class written in Python defines __getattribute__ …
  bool has_setattr;                // … or __setattr__ or __delattr__ (inherited ones count)
  const struct NativeDef *methods; // native methods, put into dict on first need; or NULL
  void *native;                    // for native types that need data of their own
  Type *payload; // the native type whose value is in Instance.payload; NULL if there is none
  ArenaWeak **subclasses; // direct ones, which this does not keep: type_subclass() gives them
  size_t subclass_count, subclass_capacity;
  struct TypeCache *cache; // of type_lookup, of the time when the dict was of this version
  uint64_t version;
  // Of the same time: another number for each type and whenever the type or a base changes.
  uint64_t state;
  struct ClassBody *body; // of a class statement: where its annotations are evaluated (class.c)
};

// As messages call it.
static inline const char *type_shown(const Type *type) {
  return type->full_name ? type->full_name : type->name->text;
}

// ---- object kinds ------------------------------------------------------------------------------
typedef struct StrObject {
  Object base;
  Str text;      // UTF-8
  Name name;     // the interned text if it has been interned, else NULL
  uint64_t hash; // 0: not computed
  size_t length; // in code points; 0: not counted
} StrObject;
typedef struct BytesObject {
  Object base;
  Str text;
} BytesObject;
typedef struct BigInt { // outside int64
  Object base;
  void *mpz; // mpz_t *, limbs in the arena
} BigInt;
typedef struct Tuple {
  Object base;
  size_t count;
  Value items[];
} Tuple;
typedef struct List {
  Object base;
  Value *items;
  size_t count, capacity;
} List;
typedef struct DictEntry {
  Value key; // V_UNBOUND: deleted
  Value value;
  uint64_t hash;
} DictEntry;
struct Dict { // also the set types, whose values are V_NONE. Insertion-ordered.
  Object base;
  DictEntry *entries;
  size_t used, capacity; // entries in use (deleted ones included), room
  size_t count;          // live entries
  uint32_t *index;       // open addressing into entries; NULL while small
  uint64_t filter;       // a bit for each hash that was entered (dict_may_have)
  uint64_t version;      // grows with each change of keys, to detect changes while iterating
};
typedef struct SliceObject {
  Object base;
  Value start, stop, step;
} SliceObject;
typedef struct Complex {
  double real, imag;
} Complex;
typedef struct ComplexObject {
  Object base;
  Complex number;
} ComplexObject;
typedef struct RangeObject {
  Object base;
  int64_t start, stop, step;
} RangeObject;

// An environment: the variables of one running function; closures keep it.
typedef struct Env {
  struct Env *outer; // of the enclosing function scope
  const Scope *scope;
  bool is_kept;   // a closure has it: not recycled when the call ends
  uint32_t owned; // which of the first slots have values that nobody else has (owned.h)
  Value slots[];
} Env;
typedef struct ModuleObject {
  Object base;
  Name name;
  Dict *dict;                  // globals
  Dict *patches;               // what a program has put over names of a facade (patch.h); or NULL
  Dict *deleted;               // names of the library's that a program has deleted; or NULL
  SourceFile *file;            // or NULL
  const struct ModuleDef *def; // of a built-in module, or NULL
  Map *pending;         // Name -> the part of the prelude that defines it, not yet run; or NULL
  uint32_t pending_end; // how far into the prelude such parts may be run
  int state;            // 0 new, 1 loading, 2 loaded (of its prelude or file)
  bool has_customary;   // a .pk file of the user: jnp, pl, … are there without an import
  bool is_absent;       // known and not provided: only its name is there
  const char *absence;  // why; or NULL
  bool has_postponed;   // from __future__ import annotations
} ModuleObject;
typedef struct Function {
  Object base;
  Name name, qualname;
  const Params *params;
  const Scope *scope;
  const StmtList *body; // of a def
  Expr *lambda;         // body of a lambda (then body is NULL)
  Env *closure;
  ModuleObject *module;
  Value *defaults;    // one for each of params->items, V_UNBOUND where there is none
  Value *annotations; // the dict of __annotations__; NULL: not asked for yet
  Stmt *def;          // the def statement, for annotations and spans; NULL for a lambda
  Type *owner;        // the class whose body defined it, for zero-argument super()
  Value doc;
  Dict *dict; // attributes set on it, or NULL
  Span span;
  const struct ArgumentRule *rule; // what is to hold of its arguments (CallHooks), or NULL
} Function;
typedef struct BoundMethod {
  Object base;
  Value function, self;
} BoundMethod;

// A function written in C. `signature` is Python: "arange(start, stop=None, step=None, dtype=None,
// *, out_sharding=None)". Defaults are literals; a parameter written `name=` may be left out and is
// V_UNBOUND then. Arguments are bound by it, so that a[i] is the i-th parameter; *args is a tuple,
// **kw a dict. Errors of binding are Python's own TypeErrors. "__init__"-style methods name self as
// the first parameter.
typedef Value (*NativeFn)(Eval *ev, Value *a);
typedef struct NativeDef {
  const char *signature;
  NativeFn fn;
} NativeDef;
// How a native found in a class is bound: by its first parameter's name, `self`, `cls` or another
// (`__new__` never is).
typedef enum NativeBinding { NATIVE_STATIC, NATIVE_METHOD, NATIVE_CLASS } NativeBinding;
typedef struct NativeFunction {
  Object base;
  Name name;
  const NativeDef *def;
  NativeBinding binding;
  Type *owner;                       // the type whose method table it comes from, or NULL
  struct NativeSignature *signature; // parsed on first call
  const char *
      attributes; // the module whose attribute_of(function, name) knows further attributes; or NULL
  const struct ArgumentRule *rule; // as in Function
} NativeFunction;

// Instances of classes written in Python (and of native types that keep all in attributes).
typedef struct Instance {
  Object base;
  Dict *dict;
  // Of __slots__, in an instance that has a __dict__ besides (else they are in `dict`); or NULL.
  Dict *members;
  // Of classes that derive from int, float, str, tuple, list, dict: the underlying value; else
  // V_UNBOUND.
  Value payload;
} Instance;
typedef struct ExceptionObject { // instances of BaseException and all that derives from it
  Instance instance;
  Tuple *args;
  Value cause, context;  // V_UNBOUND: none
  bool suppress_context; // raise … from …
  bool is_raised;        // span and frames have been set
  bool is_reported;      // a diagnostic has been made of it
  struct Diag *aside;    // what is reported in its place, or NULL
  Value object; // what an AttributeError, NameError or ImportError looked `name` up in; the file of
                // an OSError; or V_UNBOUND
  Name name;    // or NULL
  Str hint;     // "did you mean 'x'", or empty
  Span span;    // where it was raised
  DiagFrame *frames; // the trace at that moment, inside of what may catch it
  size_t frame_count;
  FrameName catcher; // what they are in; an empty text: the main module
} ExceptionObject;
typedef struct Property {
  Object base;
  Value get, set, del, doc;
  Name name; // given by __set_name__, or NULL
} Property;
typedef struct Partial { // functools.partial
  Object base;
  Value function;
  Tuple *args;
  Dict *keywords;
  Dict *dict; // attributes set on it, or NULL
} Partial;
typedef struct Wrapper { // classmethod and staticmethod
  Object base;
  Value function;
} Wrapper;

// Values on the C stack that are used no longer: the collector, which finds them there while the
// place is not used again, would keep what they refer to.
static inline void values_leave(Value *values, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] = (Value){0};
  __asm__ volatile("" : : "r"(values) : "memory");
}
