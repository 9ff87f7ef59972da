// SPDX-License-Identifier: Apache-2.0
// The module hashlib: what its library calls, by Nettle, whose table of hash functions is ours.
#include <nettle/nettle-meta.h>
#include <string.h>
#include "base/collected.h"
#include "python/builtins/text/builtin_bytes.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/type.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

// A hash of what has come so far.
typedef struct HashState {
  Object base;
  const struct nettle_hash *kind;
  void *context; // kind->context_size bytes
} HashState;

static HashState *state_new(Eval *ev, const struct nettle_hash *kind) {
  HashState *state = ARENA_NEW(ev->arena, HashState);
  state->base.type = (Type *)module_lookup(ev, "hashlib", "_State").o;
  state->kind = kind;
  state->context = arena_alloc_bytes(ev->arena, kind->context_size);
  return state;
}

static const HashState *state_of(Value v) { return (const HashState *)v.o; }

// (state, bytes of a digest, bytes of a block) of a function's name; None: there is none.
static Value hash_start(Eval *ev, Value *a) {
  Str name = take_str(ev, a[0], "name");
  for (const struct nettle_hash *const *kind = nettle_get_hashes(); *kind; kind++) {
    if (!str_equal(name, str_from_c((*kind)->name))) continue;
    HashState *state = state_new(ev, *kind);
    (*kind)->init(state->context);
    Value items[] = {v_object(state), v_int((*kind)->digest_size), v_int((*kind)->block_size)};
    return make_tuple(ev, COUNT_OF(items), items);
  }
  return v_none();
}

static Value hash_update(Eval *ev, Value *a) {
  const HashState *state = state_of(a[0]);
  Str data = take_bytes_like(ev, a[1]);
  state->kind->update(state->context, data.len, (const uint8_t *)data.data);
  return v_none();
}

static Value hash_copy(Eval *ev, Value *a) {
  const HashState *state = state_of(a[0]);
  HashState *copy = state_new(ev, state->kind);
  memcpy(copy->context, state->context, state->kind->context_size);
  return v_object(copy);
}

static Value hash_digest(Eval *ev, Value *a) {
  const HashState *state = state_of(hash_copy(ev, a)); // a digest ends a state
  size_t size = state->kind->digest_size;
  uint8_t *bytes = arena_alloc_bytes(ev->arena, size);
  state->kind->digest(state->context, size, bytes);
  return make_bytes(ev, (Str){(const char *)bytes, size});
}

static const NativeDef functions[] = {
    {"_start(name, /)", hash_start},
    {"_update(state, data, /)", hash_update},
    {"_copy(state, /)", hash_copy},
    {"_digest(state, /)", hash_digest},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_State",
             v_object(type_new_native(ev, "hashlib", "_State", NULL, NULL, NULL)));
}

const ModuleDef module_hashlib = {.name = "hashlib", .functions = functions, .init = init};
