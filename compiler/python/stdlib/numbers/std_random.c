// SPDX-License-Identifier: Apache-2.0
// The module random: the Mersenne Twister (MT19937) seeded as CPython seeds it, so that a seeded
// program draws the same numbers. The distributions are in library/random.pk.
#include "base/collected.h"
#include "base/twister.h"
#include "python/modules/module.h"
#include "python/values/builtin_state.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/values/bytes_like.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <string.h>
#include <unistd.h>

typedef struct Generator {
  Object base;
  Twister twister;
  bool is_seeded; // else it will be when it is first asked
} Generator;

// ---- SHA-512, by which texts become seeds -------------------------------------------------------
static uint64_t rotate(uint64_t x, int n) { return x >> n | x << (64 - n); }

// The first 64 bits of the fractional parts of the cube (or square) roots of the first primes.
static const uint64_t sha_constants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static void sha_block(uint64_t hash[8], const unsigned char *block) {
  uint64_t w[80], v[8];
  for (int i = 0; i < 16; i++) {
    w[i] = 0;
    for (int k = 0; k < 8; k++) w[i] = w[i] << 8 | block[8 * i + k];
  }
  for (int i = 16; i < 80; i++) {
    uint64_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotate(a, 1) ^ rotate(a, 8) ^ a >> 7) + w[i - 7] +
           (rotate(b, 19) ^ rotate(b, 61) ^ b >> 6);
  }
  memcpy(v, hash, sizeof v);
  for (int i = 0; i < 80; i++) {
    uint64_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint64_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    uint64_t one = v[7] + (rotate(v[4], 14) ^ rotate(v[4], 18) ^ rotate(v[4], 41)) + choice +
                   sha_constants[i] + w[i];
    uint64_t two = (rotate(v[0], 28) ^ rotate(v[0], 34) ^ rotate(v[0], 39)) + majority;
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (int i = 0; i < 8; i++) hash[i] += v[i];
}

static void sha512(Arena *arena, Str text, unsigned char out[64]) {
  uint64_t hash[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                      0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
  size_t padded = (text.len + 17 + 127) / 128 * 128;
  unsigned char *data = arena_alloc_bytes(arena, padded);
  memcpy(data, text.data, text.len);
  data[text.len] = 0x80;
  uint64_t bits = (uint64_t)text.len * 8;
  for (int i = 0; i < 8; i++) data[padded - 1 - i] = (unsigned char)(bits >> (8 * i));
  for (size_t at = 0; at < padded; at += 128) sha_block(hash, data + at);
  for (int i = 0; i < 64; i++) out[i] = (unsigned char)(hash[i / 8] >> (56 - 8 * (i % 8)));
}

// ---- as a type ---------------------------------------------------------------------------------
// By the 32-bit words of an integer's absolute value.
static void seed_integer(Eval *ev, Twister *t, Value v) {
  if (big_sign(v) < 0) v = big_negate(ev, v);
  size_t count = ((size_t)big_bit_length(v) + 31) / 32;
  if (count == 0) count = 1;
  uint32_t *words = ARENA_ARRAY(ev->arena, uint32_t, count);
  unsigned char *bytes = arena_alloc_bytes(ev->arena, 4 * count);
  big_to_bytes(v, bytes, 4 * count, false);
  for (size_t i = 0; i < count; i++) {
    for (int k = 3; k >= 0; k--) words[i] = words[i] << 8 | bytes[4 * i + k];
  }
  twister_seed_words(t, words, count);
}

// Where a program gives no seed: from the system's own generator; in a compilation, which must be
// repeatable, 0.
static Value fresh_seed(Eval *ev, Value *a UNUSED) {
  unsigned char bytes[16] = {0};
  if (ev->options.run && getentropy(bytes, sizeof bytes))
    eval_raise(ev, ev->types.OSError, "the system gives no random bytes");
  return big_from_bytes(ev, bytes, sizeof bytes, false);
}

static Generator *self_generator(Value self) { return (Generator *)value_unwrap(self).o; }

static Twister *self_twister(Eval *ev, Value self) {
  Generator *g = self_generator(self);
  if (!g->is_seeded) {
    g->is_seeded = true;
    seed_integer(ev, &g->twister, fresh_seed(ev, NULL));
  }
  return &g->twister;
}

static Value text_seed(Eval *ev, Str text) {
  size_t size = text.len + 64;
  unsigned char *bytes = arena_alloc_bytes(ev->arena, size);
  memcpy(bytes, text.data, text.len);
  sha512(ev->arena, text, bytes + text.len);
  for (size_t i = 0; i < size / 2; i++) { // big-endian
    unsigned char c = bytes[i];
    bytes[i] = bytes[size - 1 - i];
    bytes[size - 1 - i] = c;
  }
  return big_from_bytes(ev, bytes, size, false);
}

static Value generator_make(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o, *native = cls->payload ? cls->payload : cls;
  Generator *g = ARENA_NEW(ev->arena, Generator);
  g->base.type = native;
  return payload_wrap(ev, cls, native, v_object(g));
}

static Value generator_seed(Eval *ev, Value *a) {
  Value seed = a[1];
  Str text, bytes;
  if (v_is_none(seed)) {
    seed = fresh_seed(ev, NULL);
  } else if (value_as_str(seed, &text)) {
    seed = text_seed(ev, text);
  } else if (value_as_bytes(ev, seed, &bytes)) {
    seed = text_seed(ev, bytes);
  } else if (!int_operand(&seed)) {
    if (seed.kind != V_FLOAT) {
      eval_raise(
          ev, ev->types.TypeError,
          "The only supported seed types are: None,\nint, float, str, bytes, and bytearray.");
    }
    seed = big_from_u64(ev, value_hash(ev, seed));
  }
  self_generator(a[0])->is_seeded = true;
  seed_integer(ev, &self_generator(a[0])->twister, seed);
  return v_none();
}

static Value generator_random(Eval *ev, Value *a) {
  return v_float(twister_next_double(self_twister(ev, a[0])));
}

static Value generator_bits(Eval *ev, Value *a) {
  Twister *t = self_twister(ev, a[0]);
  int64_t k = take_index64(ev, a[1]);
  if (k < 0) eval_raise(ev, ev->types.ValueError, "number of bits must be non-negative");
  if (k == 0) return v_int(0);
  if (k <= 32) return v_int(twister_next(t) >> (32 - k));
  size_t count = ((size_t)k + 31) / 32;
  unsigned char *bytes = arena_alloc_bytes(ev->arena, 4 * count);
  for (size_t i = 0; i < count; i++, k -= 32) {
    uint32_t word = twister_next(t);
    if (k < 32) word >>= 32 - k;
    for (int n = 0; n < 4; n++) bytes[4 * i + (size_t)n] = (unsigned char)(word >> (8 * n));
  }
  return big_from_bytes(ev, bytes, 4 * count, false);
}

// From 0 to less than n: as many bits as n has, until they are less.
static Value generator_below(Eval *ev, Value *a) {
  if (a[1].kind != V_INT || a[1].i <= 0 || a[1].i > UINT32_MAX)
    return value_call_method(ev, a[0], "_below_by_bits", 1, &a[1]);
  Twister *t = self_twister(ev, a[0]);
  int spare = __builtin_clz((unsigned)a[1].i);
  uint32_t word;
  do word = twister_next(t) >> spare;
  while (word >= (uint64_t)a[1].i);
  return v_int(word);
}

static Value generator_getstate(Eval *ev, Value *a) {
  const Twister *t = self_twister(ev, a[0]);
  Tuple *words = tuple_new(ev, TWISTER_WORDS + 1);
  for (size_t i = 0; i < TWISTER_WORDS; i++) words->items[i] = v_int(t->words[i]);
  words->items[TWISTER_WORDS] = v_int(t->at);
  return v_object(words);
}

static Value generator_setstate(Eval *ev, Value *a) {
  Twister *t = self_twister(ev, a[0]);
  const Tuple *words = value_as_tuple(a[1]);
  if (!words || words->count != TWISTER_WORDS + 1)
    eval_raise(ev, ev->types.ValueError, "state vector is the wrong size");
  for (size_t i = 0; i < TWISTER_WORDS; i++)
    t->words[i] = (uint32_t)take_index64(ev, words->items[i]);
  int64_t at = take_index64(ev, words->items[TWISTER_WORDS]);
  if (at < 0 || at > TWISTER_WORDS) eval_raise(ev, ev->types.ValueError, "invalid state");
  t->at = (unsigned)at;
  return v_none();
}

static const NativeType generator_type = {
    .methods = (const NativeDef[]){{"__new__(cls, /, *args, **kwargs)", generator_make},
                                   {"_seed(self, a, /)", generator_seed},
                                   {"random(self, /)", generator_random},
                                   {"getrandbits(self, k, /)", generator_bits},
                                   {"_randbelow(self, n, /)", generator_below},
                                   {"_getstate(self, /)", generator_getstate},
                                   {"_setstate(self, state, /)", generator_setstate},
                                   {0}},
};

static const NativeDef functions[] = {{"_fresh_seed()", fresh_seed}, {0}};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_Twister",
             v_object(native_type_new(ev, "_random", "Random", NULL, &generator_type)));
}

const ModuleDef module_random = {.name = "random", .functions = functions, .init = init};
