// SPDX-License-Identifier: Apache-2.0
// Generators. `yield` leaves the body, next(), send() and throw() resume it. What is sent or thrown
// waits in the generator until it runs. Here are those whose body runs as a coroutine.
#include "python/values/frame.h"
#include "python/values/evaluator_state.h"
#include "generator.h"
#include "python/objects/attribute.h"
#include "python/values/exception_context.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/objects/type_lookup.h"

typedef struct FunctionGenerator {
  Generator base;
  Env *env;
  Value (*run)(Eval *ev, Function *f, Env *env); // the whole body, in a frame
  Coroutine *coroutine;
  Value item;
} FunctionGenerator;

// ---- going on -----------------------------------------------------------------------------------
// A StopIteration that comes out of the body must not look like the end.
NORETURN static void raise_stopped(Eval *ev, Value stop) {
  ExceptionObject *error =
      exception_new(ev, ev->types.RuntimeError, STR("generator raised StopIteration"));
  error->cause = error->context = stop;
  error->suppress_context = true;
  eval_raise_value(ev, v_object(error));
}

static Value take_thrown(Generator *g) {
  Value thrown = g->thrown;
  g->thrown = v_unbound();
  return thrown;
}

// Raised inside of the generator: what its caller is handling is not the context of that.
void generator_raise_thrown(Eval *ev, Generator *g, bool handles_own) {
  Value thrown = take_thrown(g);
  if (handles_own)
    exception_set_context((ExceptionObject *)thrown.o, ev->exception);
  else
    ev->exception = v_unbound();
  eval_raise_value(ev, thrown);
}

CoroutineEnd generator_step(Eval *ev, Generator *g, Value *out) {
  g->state = GENERATOR_RUNNING;
  CoroutineEnd end = g->step(ev, g, out);
  g->state = end == COROUTINE_SUSPENDED ? GENERATOR_SUSPENDED : GENERATOR_CLOSED;
  return end;
}

void generator_raise_end(Eval *ev, Value raised) {
  if (value_is_instance(ev, raised, ev->types.StopIteration)) raise_stopped(ev, raised);
  eval_raise_value(ev, raised);
}

// False at the end; then ev->core->stop_value is what the body returned.
static bool advance(Eval *ev, Generator *g, Value *out) {
  if (g->state == GENERATOR_RUNNING)
    eval_raise(ev, ev->types.ValueError, "generator already executing");
  bool runs =
      g->state != GENERATOR_CLOSED && (g->state != GENERATOR_CREATED || v_is_unbound(g->thrown));
  if (!runs) {
    g->state = GENERATOR_CLOSED;
    if (!v_is_unbound(g->thrown)) generator_raise_thrown(ev, g, false);
    ev->core->stop_value = v_unbound();
    return false;
  }
  CoroutineEnd end = generator_step(ev, g, out);
  if (end == COROUTINE_SUSPENDED) return true;
  if (end == COROUTINE_RAISED) generator_raise_end(ev, *out);
  ev->core->stop_value = v_is_none(g->result) ? v_unbound() : g->result;
  return false;
}

static bool generator_next(Eval *ev, Value self, Value *out) {
  Generator *g = (Generator *)self.o;
  g->sent = v_none();
  return advance(ev, g, out);
}

// ---- functions ----------------------------------------------------------------------------------
static void run_function(Eval *ev, void *data) {
  FunctionGenerator *g = data;
  g->base.result = g->run(ev, g->base.function, g->env);
}

static CoroutineEnd step_function(Eval *ev, Generator *base, Value *out) {
  FunctionGenerator *g = (FunctionGenerator *)base;
  CoroutineEnd end = coroutine_resume(ev, g->coroutine, out);
  if (end == COROUTINE_SUSPENDED) *out = g->item;
  return end;
}

void generator_start(Eval *ev, Generator *g, Name name, Name qualname,
                     CoroutineEnd (*step)(Eval *ev, Generator *g, Value *out)) {
  g->base.type = ev->types.generator;
  g->name = name;
  g->qualname = qualname;
  g->step = step;
  g->sent = g->result = v_none();
}

void generator_start_function(Eval *ev, Generator *g, Function *f, Env *env,
                              CoroutineEnd (*step)(Eval *ev, Generator *g, Value *out)) {
  generator_start(ev, g, f->name, f->qualname, step);
  env_keep(env);
  g->function = f;
  g->made_at = ev->span;
}

// ---- those that have not ended ------------------------------------------------------------------
static void leave_out_ended(struct EvalCore *core) {
  size_t kept = 0;
  for (size_t i = 0; i < core->unfinished.count; i++) {
    ArenaWeak *weak = core->unfinished.items[i];
    const Generator *g = weak->object;
    if (g && g->state != GENERATOR_CLOSED) core->unfinished.items[kept++] = weak;
  }
  core->unfinished.count = kept;
  core->unfinished_limit = 2 * kept + 64;
}

void generator_remember(Eval *ev, Generator *g) {
  struct EvalCore *core = ev->core;
  if (core->unfinished.count >= core->unfinished_limit) leave_out_ended(core);
  VEC_PUSH(ev->arena, &core->unfinished, arena_weak(ev->arena, g));
}

void generator_abandon(Value generator) { ((Generator *)generator.o)->is_abandoned = true; }

static Generator *oldest_suspended(const struct EvalCore *core) {
  for (size_t i = 0; i < core->unfinished.count; i++) {
    Generator *g = core->unfinished.items[i]->object;
    if (g && g->state == GENERATOR_SUSPENDED && !g->is_abandoned) return g;
  }
  return NULL;
}

static void close_oldest(Eval *ev, void *data) { generator_close(ev, data); }

// As when Python ends, an exception of one ends nothing.
void generator_close_all(Eval *ev) {
  for (Generator *g; (g = oldest_suspended(ev->core));) {
    Value ignored;
    eval_try(ev, close_oldest, g, &ignored);
    if (g->state != GENERATOR_CLOSED) return; // it goes on and on
  }
}

// ---- those that have a stack --------------------------------------------------------------------
Value generator_new(Eval *ev, Function *f, Env *env,
                    Value (*run)(Eval *ev, Function *f, Env *env)) {
  FunctionGenerator *g = ARENA_NEW(ev->arena, FunctionGenerator);
  generator_start_function(ev, &g->base, f, env, step_function);
  generator_remember(ev, &g->base);
  g->env = env;
  g->run = run;
  g->coroutine = coroutine_new(ev, &g->base.base, run_function, g);
  return v_object(g);
}

Generator *generator_made_at(const Eval *ev, Value v, Span place) {
  if (!is_a(v, ev->types.generator)) return NULL;
  Generator *g = (Generator *)v.o;
  Span made = g->made_at;
  bool is_there =
      g->function && made.file == place.file && made.begin == place.begin && made.end == place.end;
  return is_there && g->state == GENERATOR_CREATED ? g : NULL;
}

// ---- yield --------------------------------------------------------------------------------------
Value generator_yield(Eval *ev, Value value) {
  FunctionGenerator *g = coroutine_running(ev);
  g->base.delegate = v_unbound();
  g->item = value;
  coroutine_suspend(ev);
  if (!v_is_unbound(g->base.thrown))
    generator_raise_thrown(ev, &g->base, coroutine_handles_own(ev));
  return g->base.sent;
}

bool generator_leave_call(Eval *ev, Value generator) {
  if (!ev->core->coroutine || coroutine_running(ev) != generator.o) return false;
  const FunctionGenerator *g = (const FunctionGenerator *)generator.o;
  Frame *inner = ev->frame, *own = inner;
  while (own->env != g->env) own = own->caller;
  ev->frame = own;
  generator_yield(ev, v_none());
  ev->frame = inner;
  return true;
}

// A call of a method of the iterator, whose StopIteration is its end.
typedef struct MethodCall {
  Value method, argument, result;
} MethodCall;

static void call_method(Eval *ev, void *data) {
  MethodCall *call = data;
  call->result = value_call_n(ev, call->method, 1, &call->argument);
}

static bool next_by_method(Eval *ev, Value method, Value argument, Value *out) {
  MethodCall call = {method, argument, v_unbound()};
  Value exception;
  if (eval_try(ev, call_method, &call, &exception)) {
    *out = call.result;
    return true;
  }
  if (!value_is_instance(ev, exception, ev->types.StopIteration)) eval_raise_value(ev, exception);
  ev->core->stop_value = stop_value_of(exception);
  return false;
}

static void close_iterator(Eval *ev, Value iterator) {
  if (is_a(iterator, ev->types.generator)) {
    generator_close(ev, (Generator *)iterator.o);
    return;
  }
  Value close = value_getattr_opt(ev, iterator, intern(ev, "close"));
  if (!v_is_unbound(close)) value_call_n(ev, close, 0, NULL);
}

bool generator_delegate_next(Eval *ev, Value iterator, Value sent, Value thrown, Value *out) {
  if (value_is_instance(ev, thrown, ev->types.GeneratorExit)) {
    close_iterator(ev, iterator);
    eval_raise_value(ev, thrown);
  }
  if (is_a(iterator, ev->types.generator)) {
    Generator *g = (Generator *)iterator.o;
    if (g->state != GENERATOR_RUNNING) {
      g->sent = sent;
      g->thrown = thrown;
    }
    return advance(ev, g, out);
  }
  if (!v_is_unbound(thrown)) {
    Value method = value_getattr_opt(ev, iterator, intern(ev, "throw"));
    if (v_is_unbound(method)) eval_raise_value(ev, thrown);
    return next_by_method(ev, method, thrown, out);
  }
  if (v_is_none(sent)) return value_next(ev, iterator, out);
  return next_by_method(ev, value_getattr(ev, iterator, intern(ev, "send")), sent, out);
}

Value generator_delegate(Eval *ev, Value iterable) {
  FunctionGenerator *g = coroutine_running(ev);
  Value iterator = value_iter(ev, iterable), sent = v_none(), thrown = v_unbound(), item;
  while (generator_delegate_next(ev, iterator, sent, thrown, &item)) {
    g->base.delegate = iterator;
    g->item = item;
    coroutine_suspend(ev);
    g->base.delegate = v_unbound();
    sent = g->base.sent;
    thrown = take_thrown(&g->base);
  }
  Value result = ev->core->stop_value;
  return v_is_unbound(result) ? v_none() : result;
}

// ---- methods ------------------------------------------------------------------------------------
static Value generator_send(Eval *ev, Value *a) {
  Generator *g = (Generator *)a[0].o;
  if (g->state == GENERATOR_CREATED && !v_is_none(a[1]))
    eval_raise(ev, ev->types.TypeError, "can't send non-None value to a just-started generator");
  if (g->state != GENERATOR_RUNNING) g->sent = a[1];
  Value item;
  if (!advance(ev, g, &item)) raise_stop_iteration(ev);
  return item;
}

// An exception from a class, and what it is to be called with, or from an exception.
static Value thrown_value(Eval *ev, Value kind, Value value) {
  bool is_class = is_type(ev, kind) && ((Type *)kind.o)->is_exception;
  if (!is_class && !is_exception(kind))
    eval_raise(ev, ev->types.TypeError,
               "exceptions must be classes or instances deriving from BaseException, not %s",
               value_type_name(ev, kind));
  if (!is_class && !v_is_none(value))
    eval_raise(ev, ev->types.TypeError, "instance exception may not have a separate value");
  if (!is_class) return kind;
  if (is_exception(value) && value_is_instance(ev, value, (Type *)kind.o)) return value;
  if (v_is_none(value)) return value_call_n(ev, kind, 0, NULL);
  const Tuple *arguments = value_as_tuple(value);
  return arguments ? value_call_n(ev, kind, arguments->count, arguments->items)
                   : value_call_n(ev, kind, 1, &value);
}

static Value generator_throw(Eval *ev, Value *a) {
  Generator *g = (Generator *)a[0].o;
  Value thrown = thrown_value(ev, a[1], a[2]);
  if (g->state != GENERATOR_RUNNING) g->thrown = thrown;
  Value item;
  if (!advance(ev, g, &item)) raise_stop_iteration(ev);
  return item;
}

static void advance_once(Eval *ev, void *data) {
  Value item;
  if (advance(ev, data, &item))
    eval_raise(ev, ev->types.RuntimeError, "generator ignored GeneratorExit");
}

void generator_close(Eval *ev, Generator *g) {
  if (g->state == GENERATOR_CREATED) g->state = GENERATOR_CLOSED;
  if (g->state == GENERATOR_CLOSED) return;
  if (g->state == GENERATOR_SUSPENDED)
    g->thrown = value_call_n(ev, v_object(ev->types.GeneratorExit), 0, NULL);
  Value exception;
  if (!eval_try(ev, advance_once, g, &exception) &&
      !value_is_instance(ev, exception, ev->types.GeneratorExit))
    eval_raise_value(ev, exception);
}

static Value close_method(Eval *ev, Value *a) {
  generator_close(ev, (Generator *)a[0].o);
  return v_none();
}

// ---- the type -----------------------------------------------------------------------------------
static Value or_none(Value v) { return v_is_unbound(v) ? v_none() : v; }

static Value generator_getattr(Eval *ev, Value self, Name name) {
  const Generator *g = (const Generator *)self.o;
  if (name == ev->names->name) return make_name(ev, g->name);
  if (name == ev->names->qualname) return make_name(ev, g->qualname);
  Str text = name_str(name);
  if (str_equal(text, STR("gi_running"))) return v_bool(g->state == GENERATOR_RUNNING);
  if (str_equal(text, STR("gi_suspended"))) return v_bool(g->state == GENERATOR_SUSPENDED);
  if (str_equal(text, STR("gi_frame"))) {
    if (g->state == GENERATOR_CLOSED) return v_none();
    eval_raise(ev, ev->types.NotImplementedError,
               "'gi_frame' is not supported: frames of generators are not objects");
  }
  if (str_equal(text, STR("_is_created"))) return v_bool(g->state == GENERATOR_CREATED);
  if (str_equal(text, STR("gi_yieldfrom"))) return or_none(g->delegate);
  if (str_equal(text, STR("gi_code")) && g->function)
    return value_getattr(ev, v_object(g->function), ev->names->code_dunder);
  return v_unbound();
}

static Str generator_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "<generator object %s at %p>",
                    ((const Generator *)self.o)->qualname->text, (void *)self.o);
}

static Value generator_iter(Eval *ev UNUSED, Value self) { return self; }

static uint64_t generator_hash(Eval *ev UNUSED, Value self) { return object_identity_hash(self); }

void generator_init(Eval *ev) {
  static const NativeDef methods[] = {
      {"send(self, value, /)", generator_send},
      {"throw(self, type, value=None, traceback=None, /)", generator_throw},
      {"close(self, /)", close_method},
      {NULL, NULL}};
  ev->types.generator->methods = methods;
  ev->types.generator->slots = (TypeSlots){.iter = generator_iter,
                                           .next = generator_next,
                                           .getattr = generator_getattr,
                                           .repr = generator_repr,
                                           .hash = generator_hash};
}
