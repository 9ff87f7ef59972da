// SPDX-License-Identifier: Apache-2.0
// What the files of the evaluator's core share among themselves; natives and modules use eval.h.
#pragma once
#include <setjmp.h>

#include "python/builtins/builtins.h"
#include "eval.h"
#include "python/modules/module.h"
#include "names.h"

// One running eval_try.
typedef struct Handler {
  jmp_buf place;
  struct Handler *outer;
  Frame *frame;
  Env *env; // of the frame
  Span span;
  Value handled; // ev->exception when it began
} Handler;

// Results of type_lookup, "not found" included; emptied when the type or a base changes. `version`
// is the type's dict's, so that natives may put names into it directly.
#define TYPE_CACHE_SIZE 64
typedef struct TypeCache {
  uint64_t version;
  Name names[TYPE_CACHE_SIZE];
  Value values[TYPE_CACHE_SIZE];
} TypeCache;

// A class statement being run, kept for its annotations.
typedef struct ClassAnnotation {
  Name name;
  const Expr *expr;
} ClassAnnotation;
typedef struct ClassBody {
  Name name, qualname;
  Env *env; // of the function around it
  const Function *code;
  ModuleObject *module;
  Dict *names; // the class's namespace
  VEC(ClassAnnotation) annotations;
  VEC(Function *) functions; // made by the body: they get their owner when the class is there
} ClassBody;

// A native type's slot as a method: int.__add__, list.__len__.
typedef struct SlotWrapper {
  Object base;
  Type *owner;
  const struct SlotMethod *method; // slot_wrapper.c
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
  Dict *(*class_annotations)(Eval *ev, Type *type); // evaluated when first asked for
} EvaluatorSlots;

#define ENV_POOLS 33 // environments of up to 32 slots are recycled
struct EvalCore {
  EvaluatorSlots above;
  // A native type's own slot as a method object, V_UNBOUND if the name is not a slot's or the slot
  // is NULL (slot_wrapper.c).
  Value (*slot_method)(Eval *ev, Type *type, Name name);
  Type *kinds[V_OBJECT]; // types of the values that are no objects
  Type *slot_wrapper, *member, *code, *type_alias, *unsupported;
  Env *pools[ENV_POOLS];           // by slot count, linked by `outer`
  Map *slot_methods;               // by Name: dunder methods that are slots (slot_wrapper.c)
  Map *constants;                  // by Expr: the Value of a literal
  Map *qualnames;                  // by def, lambda or class statement: its qualified name
  Map *strings;                    // by Name: its StrObject
  Map *defs;                       // by Name: the ModuleDef
  VEC(const ModuleTable *) tables; // what the floors provide, in the order they registered
  Map *absent;                     // by Name: what ModuleTables list as absent
  Map *customary;                  // by Name: its CustomaryName
  Dict *customary_values;          // those that have been asked for
  Dict *defines;                   // names given with -D: whether the module assigns them; or NULL
  const char *stack_limit;         // the C stack may not grow below
  bool on_stack;                   // running on the evaluator's own stack
  ClassBody *pending_body; // of the class statement that is about to make its class, or NULL
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

// ---- stack.c -----------------------------------------------------------------------------------
// Runs body on a stack of its own, large enough for the deepest recursion that max_depth allows.
void stack_run(Eval *ev, void (*body)(Eval *, void *), void *data);

// ---- dict.c -----------------------------------------------------------------------------------
void dict_append(Eval *ev, Dict *dict, Value key, uint64_t hash, Value value); // a new key
void dict_drop(Dict *dict, DictEntry *entry);
bool dict_remove_name(Dict *dict, Name name); // false if it is not there

// ---- raise.c -----------------------------------------------------------------------------------
NORETURN void raise_attribute(Eval *ev, Value object, Name name, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
NORETURN void raise_name(Eval *ev, Type *type, Name name, const char *fmt, ...) PRINTF_LIKE(4, 5);
NORETURN void raise_import(Eval *ev, Type *type, Name name, Value module, Str hint, const char *fmt,
                           ...) PRINTF_LIKE(6, 7);
// Adds the frames from the current one down to `end`, which is not among them.
void exception_add_frames(Eval *ev, ExceptionObject *exception, const Frame *end);
// The nearest of some names to one that is not there: feed it candidates.
typedef struct Suggestion {
  Str wanted, best;
  size_t distance;
} Suggestion;
void suggestion_init(Suggestion *s, Str wanted);
void suggestion_try(Suggestion *s, Str candidate);
void suggestion_try_dict(Suggestion *s, const Dict *dict);
Str suggestion_hint(Eval *ev, const Suggestion *s); // "did you mean 'x'?", or empty

// ---- object.c ----------------------------------------------------------------------------------
// As value_getattr_opt, but what the program's own code raises comes through; `hook`: __getattr__
// is asked as well.
Value attribute_find(Eval *ev, Value v, Name name, bool hook);
// The generic algorithms, without the class's own __getattribute__ and __setattr__.
Value object_getattr(Eval *ev, Value v, Name name);
void object_setattr(Eval *ev, Value v, Name name, Value value);
// A value found in a class, bound to an instance (V_UNBOUND: looked up on the class).
Value attribute_bind(Eval *ev, Value found, Value instance, Type *owner);
Type *value_class_attr_type(Eval *ev, Value v);
void type_changed(Eval *ev, Type *type);
void type_add_methods(Eval *ev, Type *type); // puts the natives of its table into its dict
void names_sort(Eval *ev, List *names);      // strs, by code

// A dunder method of v's type. False if there is none. Else *function is to be called with self
// first, or, if *bound, as it is.
bool method_lookup(Eval *ev, Value v, Name name, Value *function, bool *bound);
Value call_special(Eval *ev, Value self, Value method, bool bound, size_t count,
                   const Value *items);
Dict *instance_dict(Value v); // NULL if it has none

// ---- protocol.c, dict.c -------------------------------------------------------------------------
void protocol_init(Eval *ev);
uint64_t object_identity_hash(Value v);
uint64_t str_hash(Eval *ev, StrObject *str);

// ---- number.c ----------------------------------------------------------------------------------
// Arithmetic of int, bool and float that stays in them. False: not of these kinds, or it overflows,
// or is left to the slots.
bool number_binary(Eval *ev, BinaryOp op, Value a, Value b, Value *out);
bool number_compare(CompareOp op, Value a, Value b, bool *out);

// ---- slot_wrapper.c
// ----------------------------------------------------------------------------------- A native
// type's own slot as a method object, V_UNBOUND if the name is not a slot's or the slot is NULL.
void slots_init(Eval *ev);

// ---- call.c, signature.c -----------------------------------------------------------------------
void call_init(Eval *ev); // registers calls of functions written in Python
Value native_call(Eval *ev, NativeFunction *f, const Value *self, const Args *args);
// f(self, *args).
Value call_with_self(Eval *ev, Value f, Value self, const Args *args);
NativeFunction *native_new(Eval *ev, const NativeDef *def, Type *owner);
void frame_push(Eval *ev, Frame *frame);
static inline void frame_pop(Eval *ev, const Frame *frame) {
  ev->frame = frame->caller;
  ev->span = frame->call;
}
Env *env_new(Eval *ev, const Scope *scope, Env *outer);
void env_release(Eval *ev, Env *env);
// Binds arguments to parameters: `slots`, one for each, are V_UNBOUND before; so are those of
// missing arguments afterwards if `absent_allowed`, else that is an error.
void params_bind(Eval *ev, Str function, const Params *params, const Value *defaults,
                 const Args *args, Value *slots, bool absent_allowed);
void params_check(Eval *ev, Str function, const Params *params, const Value *slots);
Str native_display_name(const NativeFunction *f, Arena *arena);
const Params *native_params(Eval *ev, NativeFunction *f, const Value **defaults);
typedef struct NativeSignature NativeSignature;

// ---- type.c, class.c ---------------------------------------------------------------------------
Type *type_make_bare(Eval *ev, Name name, Name module, Type *base);
void type_members_init(Eval *ev);
Value type_call(Eval *ev, Value type, const Args *args);
Value object_new(Eval *ev, Type *type, size_t count, size_t kw_count);
// type_new with a metatype: the most derived of it and those of the bases.
Type *type_new_of(Eval *ev, Type *meta, Name name, Tuple *bases, Dict *dict, const Args *keywords);
Type *winning_metatype(Eval *ev, Type *meta, const Tuple *bases);
Value type_own_attribute(Eval *ev, Type *type, Name name); // of this type alone, not of its bases
// In the MRO of `type`, behind `after`.
Value type_lookup_after(Eval *ev, Type *type, const Type *after, Name name);
void class_execute(Eval *ev, const Stmt *stmt);
void class_set_owner(ClassBody *body, Type *type);
Dict *class_annotations(Eval *ev, Type *type); // evaluates them when first asked for

// ---- the other core types -----------------------------------------------------------------------
void object_type_init(Eval *ev); // object_type.c
void function_init(Eval *ev);    // function.c
void exception_init(Eval *ev);   // exception.c
void super_init(Eval *ev);       // super.c
void generator_init(Eval *ev);   // comprehension.c
void partial_init(Eval *ev);     // partial.c
void module_init(Eval *ev);      // module.c
void type_alias_init(Eval *ev);  // alias.c
// `key` tells one def or lambda from another: qualified names are kept by it.
Function *function_new(Eval *ev, Name name, const Params *params, const Scope *scope,
                       const void *key);
Name scope_qualname(Eval *ev, Name name, const void *key);
// Its text if it cannot be evaluated.
Value annotation_value(Eval *ev, const Expr *expr, Frame frame);
Value make_type_alias(Eval *ev, const Stmt *stmt);

// ---- expr.c, stmt.c, … -------------------------------------------------------------------------
Value load_name(Eval *ev, const NameRef *ref, Span span);
void store_name(Eval *ev, const NameRef *ref, Value value);
void delete_name(Eval *ev, const NameRef *ref, Span span);
Value eval_comprehension(Eval *ev, const Expr *expr);          // comprehension.c
Flow eval_match(Eval *ev, const Stmt *stmt, Value *result);    // match.c
Flow eval_try_stmt(Eval *ev, const Stmt *stmt, Value *result); // try.c
Flow eval_with(Eval *ev, const Stmt *stmt, Value *result);     // try.c
void eval_import(Eval *ev, const Stmt *stmt);                  // import.c
void eval_import_from(Eval *ev, const Stmt *stmt);             // import.c
bool eval_test(Eval *ev, const Expr *test);                    // truth of an expression
bool value_is_iterable(Eval *ev, Value v);
bool mapping_update(Eval *ev, Dict *into, Value mapping); // false if it is no mapping
void eval_delete(Eval *ev, const Expr *target);
NORETURN void eval_raise_stmt(Eval *ev, const Stmt *stmt); // try.c
void eval_aug_assign(Eval *ev, const Stmt *stmt);          // assign.c
Value *eval_decorators(Eval *ev, const ExprList *decorators);
Value decorate(Eval *ev, const ExprList *decorators, const Value *evaluated, Value value);

// A walk over an iterable, without an iterator object for the commonest kinds.
typedef struct Walk {
  enum { WALK_ITERATOR, WALK_RANGE, WALK_LIST, WALK_TUPLE } kind;
  Value source; // or the iterator
  int64_t at, stop, step;
} Walk;
void walk_start(Eval *ev, Walk *walk, Value iterable);
bool walk_next_slow(Eval *ev, Walk *walk, Value *out);
static inline bool walk_next(Eval *ev, Walk *walk, Value *out) {
  switch (walk->kind) {
  case WALK_RANGE:
    if (walk->at >= walk->stop) return false; // counted: `at` of `stop` items
    *out = v_int(((RangeObject *)walk->source.o)->start + walk->at++ * walk->step);
    return true;
  case WALK_LIST: {
    const List *list = (const List *)walk->source.o;
    if ((size_t)walk->at >= list->count) {
      walk->at = INT64_MAX;
      return false;
    }
    *out = list->items[walk->at++];
    return true;
  }
  case WALK_TUPLE: {
    const Tuple *tuple = (const Tuple *)walk->source.o;
    if ((size_t)walk->at >= tuple->count) return false;
    *out = tuple->items[walk->at++];
    return true;
  }
  case WALK_ITERATOR: break;
  }
  return walk_next_slow(ev, walk, out);
}

// ---- module.c, import.c -------------------------------------------------------------------------
// A global of a running module: its dict, its natives, the customary names, the builtins.
Value global_lookup(Eval *ev, ModuleObject *module, Name name);
const ModuleDef *module_def(Eval *ev, Name name); // NULL if we provide no such module
const NotSupported *module_not_supported(Eval *ev, const ModuleObject *module, Name name);
// What `from path import name` gives of a module.
Value import_from(Eval *ev, Str path, ModuleObject *module, Name name);
Value make_unsupported(Eval *ev, const ModuleObject *module, Name name, const char *why);
bool module_is_absent(Eval *ev, Name name); // in a table of absent ones
Name child_module_name(Eval *ev, const ModuleObject *parent, Name name);
bool module_load_prelude(Eval *ev, ModuleObject *module);
// What a loaded prelude defines under a name and has not defined yet; V_UNBOUND if that is nothing.
Value prelude_define(Eval *ev, ModuleObject *module, Name name);
// Loads the prelude if there is one and defines everything in it: for those who list a module's
// names.
void prelude_define_all(Eval *ev, ModuleObject *module);
void module_run(Eval *ev, ModuleObject *module, const StmtList *body);
void module_set_file(Eval *ev, ModuleObject *module, const Module *tree);
ModuleObject *import_dotted(Eval *ev, Str dotted);
ModuleObject *import_known(Eval *ev, Str dotted); // NULL if it has not been imported
// Where a module would come from: a path, or "built-in"; {0} if there is none. Imports what is
// above it.
Str import_origin(Eval *ev, Str dotted);
// `name` as `from {level dots}name import` means it in a module of this package.
Str import_absolute(Eval *ev, Str package, Str name, size_t level);
ModuleObject *import_child(Eval *ev, ModuleObject *parent, Name name); // NULL if there is none
ModuleObject *import_provided_child(Eval *ev, ModuleObject *parent,
                                    Name name); // likewise; never a file
