// SPDX-License-Identifier: Apache-2.0
// The state of the evaluator itself, and its shortest functions.
#pragma once
#include <setjmp.h>

#include "base/map.h"
#include "evaluator.h"
#include "names.h"
#include "raise.h"
#include "values.h"

// One running eval_try.
typedef struct Handler {
  jmp_buf place;
  struct Handler *outer;
  Frame *frame;
  Env *env; // of the frame
  Span span;
  Value handled; // ev->exception when it began
} Handler;

// Results of type_lookup, "not found" included; emptied when the type or a base changes, or the
// version of the type's dict, so that natives may put names into it directly.
#define TYPE_CACHE_SIZE 64
typedef struct TypeCache {
  bool sets_plainly; // known: no type of the MRO has a setter, and __setattr__ is object's
  Name names[TYPE_CACHE_SIZE];
  Value values[TYPE_CACHE_SIZE];
} TypeCache;
// Where a name is, or, if another one has come to its place since, beside that: in the place whose
// number differs in the lowest bit. Higher bits of the hash: by the lowest, __new__ and __init__,
// which each construction asks for, would share a place.
static inline size_t type_cache_place(Name name) {
  return name->hash / TYPE_CACHE_SIZE % TYPE_CACHE_SIZE;
}

// A native type's slot as a method: int.__add__, list.__len__.
typedef struct SlotWrapper {
  Object base;
  Type *owner;
  const struct SlotMethod *method; // slot_wrapper.h
} SlotWrapper;
// An attribute of a class with __slots__.
typedef struct Member {
  Object base;
  Name name;
  Type *owner;
} Member;
typedef struct SuperObject {
  Object base;
  Type *type;        // the search begins behind it in the MRO …
  Type *object_type; // … of this; NULL: unbound
  Value object;      // an instance or a class
} SuperObject;

// What lies above the objects, registered by it.
typedef struct EvaluatorSlots {
  // Calls a function written in Python; self, if there is one, comes before the arguments.
  Value (*call_function)(Eval *ev, Function *f, const Value *self, const Args *args);
  Flow (*run_block)(Eval *ev, const StmtList *body, Value *result);
  Value (*traceback)(Eval *ev, const ExceptionObject *exception); // its __traceback__
  void (*signals)(Eval *ev, uint64_t came);                       // runs the program's handlers
} EvaluatorSlots;

#define SPARE_STACKS 512
#define ENV_POOLS    33 // environments of up to 32 slots are recycled
struct EvalCore {
  EvaluatorSlots above;
  // A native type's own slot as a method object, V_UNBOUND if the name is not a slot's or the slot
  // is NULL (slot_wrapper.c).
  Value (*slot_method)(Eval *ev, Type *type, Name name);
  Type *kinds[V_OBJECT]; // types of the values that are no objects
  Type *slot_wrapper, *member, *code, *cell, *type_alias, *unsupported;
  Env *pools[ENV_POOLS];                  // by slot count, linked by `outer`
  Map *slot_methods;                      // by Name: dunder methods that are slots (slot_wrapper.c)
  Map *constants;                         // by Expr: the Value of a literal
  Map *qualnames;                         // by def, lambda or class statement: its qualified name
  Map *defs;                              // by Name: the ModuleDef
  VEC(const struct ModuleTable *) tables; // what the floors provide, in the order they registered
  VEC(const char *) extensions;           // modules whose native types messages name with it
  Map *absent;                            // by Name: what ModuleTables list as absent
  Map *customary;                         // by Name: its CustomaryName
  Dict *customary_values;                 // those that have been asked for
  Dict *defines;               // names given with -D: whether the module assigns them; or NULL
  const char *stack_limit;     // the C stack may not grow below
  bool on_stack;               // running on the evaluator's own stack
  bool keeps_locals;           // an exception has the local variables of its calls (raise.h)
  Value explain_assert;        // a function that says why an assert of a test failed, or V_UNBOUND
  struct Coroutine *coroutine; // that runs, or NULL (coroutine.h)
  struct CoroutineStack *spare_stacks; // to be used again
  size_t spare_stack_count, stack_count;
  size_t most_stacks;                 // in use: then it is looked who is still needed
  VEC(struct ArenaWeak *) unfinished; // generators that are closed when the program ends …
  uint64_t type_states;               // that were given to types (attribute_at.h)
  size_t unfinished_limit;            // … from so many on those that have ended are left out
  Value stop_value; // what the iterator returned that value_next found at its end, or V_UNBOUND
  struct ClassBody *pending_body; // of the class statement that is about to make its class, or NULL
};

// ---- inline parts ------------------------------------------------------------------------------
static inline Type *type_of(const Eval *ev, Value v) {
  return v.kind == V_OBJECT ? v.o->type : ev->core->kinds[v.kind];
}
static inline bool is_a(Value v, const Type *type) { // exactly
  return v.kind == V_OBJECT && v.o->type == type;
}
static inline bool is_exception(Value v) { return v.kind == V_OBJECT && v.o->type->is_exception; }
// A class: something whose type is `type` or derives from it.
static inline bool is_type(const Eval *ev, Value v) {
  return v.kind == V_OBJECT &&
         (v.o->type == ev->types.type || type_is_subtype(v.o->type, ev->types.type));
}
static inline bool has_instance_layout(const Type *type) { return type->instances_have_dict; }
static inline bool is_dunder(Name name) {
  return name->len > 4 && name->text[0] == '_' && name->text[1] == '_';
}
static inline Name intern(Eval *ev, const char *text) {
  return name_intern_c(ev->session->interner, text);
}
static inline void check_stack(Eval *ev) {
  if ((const char *)__builtin_frame_address(0) < ev->core->stack_limit) eval_check_stack(ev);
}
static inline void count_step(Eval *ev) {
  if (++ev->steps > ev->options.max_steps) eval_step(ev);
}
// Where the code of ev->frame goes on: no native that it called is in the middle of something.
static inline void begin_step(Eval *ev) {
  if (ev->before_step) ev->before_step(ev);
}

static inline void frame_pop(Eval *ev, const Frame *frame) {
  ev->frame = frame->caller;
  ev->span = frame->call;
}
