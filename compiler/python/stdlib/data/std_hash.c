// SPDX-License-Identifier: Apache-2.0
// The module hashlib: what its library calls, by Nettle, whose table of hash functions is ours, and
// what Nettle lacks: BLAKE2 (std_blake2.c), SHAKE of both widths, PBKDF2 of any hash.
#include <nettle/nettle-meta.h>
#include <nettle/pbkdf2.h>
#include <nettle/sha3.h>
#include <string.h>
#include "base/collected.h"
#include "std_blake2.h"
#include "python/builtins/builtin_index.h"
#include "python/objects/protocol.h"
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

// ---- SHAKE: a sponge that gives as many bytes as are asked for ----------------------------------
typedef struct Shake {
  struct sha3_state state;
  size_t at; // in the block
} Shake;

static void shake_init(void *context) { *(Shake *)context = (Shake){0}; }

static void shake_put(Shake *s, size_t block, uint8_t byte) {
  s->state.a[s->at / 8] ^= (uint64_t)byte << 8 * (s->at % 8);
  if (++s->at < block) return;
  sha3_permute(&s->state);
  s->at = 0;
}

static void shake_digest(Shake *s, size_t block, size_t length, uint8_t *out) {
  enum { DOMAIN = 0x1f };
  s->state.a[s->at / 8] ^= (uint64_t)DOMAIN << 8 * (s->at % 8);
  s->state.a[(block - 1) / 8] ^= (uint64_t)0x80 << 8 * ((block - 1) % 8);
  for (size_t i = 0; i < length; i++) {
    size_t at = i % block;
    if (at == 0) sha3_permute(&s->state);
    out[i] = (uint8_t)(s->state.a[at / 8] >> 8 * (at % 8));
  }
}

enum { SHAKE_128_BLOCK = 168, SHAKE_256_BLOCK = 136 };

static void shake_128_update(void *context, size_t length, const uint8_t *data) {
  for (size_t i = 0; i < length; i++) shake_put(context, SHAKE_128_BLOCK, data[i]);
}

static void shake_256_update(void *context, size_t length, const uint8_t *data) {
  for (size_t i = 0; i < length; i++) shake_put(context, SHAKE_256_BLOCK, data[i]);
}

static void shake_128_digest(void *context, size_t length, uint8_t *out) {
  shake_digest(context, SHAKE_128_BLOCK, length, out);
}

static void shake_256_digest(void *context, size_t length, uint8_t *out) {
  shake_digest(context, SHAKE_256_BLOCK, length, out);
}

static const struct nettle_hash shakes[] = {{"shake_128", sizeof(Shake), 0, SHAKE_128_BLOCK,
                                             shake_init, shake_128_update, shake_128_digest},
                                            {"shake_256", sizeof(Shake), 0, SHAKE_256_BLOCK,
                                             shake_init, shake_256_update, shake_256_digest}};

// ---- hashes -------------------------------------------------------------------------------------
static const struct nettle_hash *find_hash(Str name) {
  for (size_t i = 0; i < COUNT_OF(shakes); i++)
    if (str_equal(name, str_from_c(shakes[i].name))) return &shakes[i];
  for (const struct nettle_hash *const *kind = nettle_get_hashes(); *kind; kind++)
    if (str_equal(name, str_from_c((*kind)->name))) return *kind;
  return NULL;
}

// The state in which a function begins, by its name; None: there is none.
static Value hash_start(Eval *ev, Value *a) {
  const struct nettle_hash *kind = find_hash(take_str(ev, a[0], "name"));
  if (!kind) return v_none();
  HashState *state = state_new(ev, kind);
  kind->init(state->context);
  return v_object(state);
}

static Value hash_digest_size(Eval *ev, Value *a) {
  (void)ev;
  return v_int(state_of(a[0])->kind->digest_size);
}

static Value hash_block_size(Eval *ev, Value *a) {
  (void)ev;
  return v_int(state_of(a[0])->kind->block_size);
}

// The state of BLAKE2 that begins with a parameter block and a key.
static Value hash_start_blake2(Eval *ev, Value *a) {
  Str parameters = take_bytes_like(ev, a[0]), key = take_bytes_like(ev, a[1]);
  const struct nettle_hash *kind = parameters.len == 64 ? &blake2b_hash : &blake2s_hash;
  HashState *state = state_new(ev, kind);
  blake2_start(kind, state->context, parameters, key, value_truth(ev, a[2]));
  return v_object(state);
}

static void put_data(Eval *ev, const HashState *state, Value v) {
  Str text;
  if (value_as_str(v, &text))
    eval_raise(ev, ev->types.TypeError, "Strings must be encoded before hashing");
  Str data;
  if (!as_bytes_like(ev, v, &data))
    eval_raise(ev, ev->types.TypeError, "object supporting the buffer API required");
  if (data.len) state->kind->update(state->context, data.len, (const uint8_t *)data.data);
}

static Value hash_update(Eval *ev, Value *a) {
  put_data(ev, state_of(a[0]), a[1]);
  return v_none();
}

static Value hash_copy(Eval *ev, Value *a) { // state, the data that comes behind
  const HashState *state = state_of(a[0]);
  HashState *copy = state_new(ev, state->kind);
  memcpy(copy->context, state->context, state->kind->context_size);
  put_data(ev, copy, a[1]);
  return v_object(copy);
}

// A digest ends a state: it is that of a copy. size: None: the function's own.
static Str digest_of(Eval *ev, const HashState *state, Value size) {
  _Alignas(16) uint8_t room[512];
  const struct nettle_hash *kind = state->kind;
  void *context =
      kind->context_size <= sizeof room ? room : arena_alloc_bytes(ev->arena, kind->context_size);
  memcpy(context, state->context, kind->context_size);
  size_t length = v_is_none(size) ? kind->digest_size : (size_t)take_index64(ev, size);
  uint8_t *bytes = arena_alloc_bytes(ev->arena, length);
  kind->digest(context, length, bytes);
  return (Str){(const char *)bytes, length};
}

static Value hash_digest(Eval *ev, Value *a) {
  return make_bytes(ev, digest_of(ev, state_of(a[0]), a[1]));
}

static Value hash_hexdigest(Eval *ev, Value *a) {
  static const char digits[] = "0123456789abcdef";
  Str bytes = digest_of(ev, state_of(a[0]), a[1]);
  char *text = arena_alloc_bytes(ev->arena, 2 * bytes.len);
  for (size_t i = 0; i < bytes.len; i++) {
    unsigned char byte = (unsigned char)bytes.data[i];
    text[2 * i] = digits[byte >> 4];
    text[2 * i + 1] = digits[byte & 15];
  }
  return make_str(ev, (Str){text, 2 * bytes.len});
}

// ---- PBKDF2 -------------------------------------------------------------------------------------
// HMAC of a hash: the states in which a message's hash, and that of its digest, begin.
typedef struct Hmac {
  const struct nettle_hash *kind;
  uint8_t *inner, *outer, *state, *digest;
} Hmac;

static void hmac_restart(Hmac *h) { memcpy(h->state, h->inner, h->kind->context_size); }

static void hmac_update(void *context, size_t length, const uint8_t *data) {
  Hmac *h = context;
  h->kind->update(h->state, length, data);
}

static void hmac_digest(void *context, size_t length, uint8_t *out) {
  Hmac *h = context;
  h->kind->digest(h->state, h->kind->digest_size, h->digest);
  memcpy(h->state, h->outer, h->kind->context_size);
  h->kind->update(h->state, h->kind->digest_size, h->digest);
  h->kind->digest(h->state, length, out);
  hmac_restart(h);
}

static void hmac_begin(Eval *ev, Hmac *h, const struct nettle_hash *kind, Str key) {
  uint8_t **parts[] = {&h->inner, &h->outer, &h->state};
  h->kind = kind;
  h->digest = arena_alloc_bytes(ev->arena, kind->digest_size);
  for (size_t i = 0; i < COUNT_OF(parts); i++)
    *parts[i] = arena_alloc_bytes(ev->arena, kind->context_size);
  uint8_t *block = arena_alloc_bytes(ev->arena, kind->block_size);
  memset(block, 0, kind->block_size);
  if (key.len > kind->block_size) {
    kind->init(h->state);
    kind->update(h->state, key.len, (const uint8_t *)key.data);
    kind->digest(h->state, kind->digest_size, block);
  } else {
    memcpy(block, key.data, key.len);
  }
  for (size_t i = 0; i < kind->block_size; i++) block[i] ^= 0x36;
  kind->init(h->inner);
  kind->update(h->inner, kind->block_size, block);
  for (size_t i = 0; i < kind->block_size; i++) block[i] ^= 0x36 ^ 0x5c;
  kind->init(h->outer);
  kind->update(h->outer, kind->block_size, block);
  hmac_restart(h);
}

// None: there is no such hash.
static Value hash_pbkdf2(Eval *ev, Value *a) { // name, password, salt, iterations, length
  const struct nettle_hash *kind = find_hash(take_str(ev, a[0], "hash_name"));
  if (!kind || !kind->digest_size) return v_none();
  Str salt = take_bytes_like(ev, a[2]);
  int64_t iterations = take_index64(ev, a[3]);
  size_t length = v_is_none(a[4]) ? kind->digest_size : (size_t)take_index64(ev, a[4]);
  Hmac h;
  hmac_begin(ev, &h, kind, take_bytes_like(ev, a[1]));
  uint8_t *out = arena_alloc_bytes(ev->arena, length);
  pbkdf2(&h, hmac_update, hmac_digest, kind->digest_size, (unsigned)iterations, salt.len,
         (const uint8_t *)salt.data, length, out);
  return make_bytes(ev, (Str){(const char *)out, length});
}

static const NativeDef functions[] = {
    {"_start(name, /)", hash_start},
    {"_update(state, data, /)", hash_update},
    {"_copy(state, data, /)", hash_copy},
    {"_digest(state, size, /)", hash_digest},
    {"_hexdigest(state, size, /)", hash_hexdigest},
    {"_digest_size(state, /)", hash_digest_size},
    {"_block_size(state, /)", hash_block_size},
    {"_start_blake2(parameters, key, is_last_node, /)", hash_start_blake2},
    {"_pbkdf2(name, password, salt, iterations, length, /)", hash_pbkdf2},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_State",
             v_object(type_new_native(ev, "hashlib", "_State", NULL, NULL, NULL)));
}

const ModuleDef module_hashlib = {.name = "hashlib", .functions = functions, .init = init};
