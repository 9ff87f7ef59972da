// SPDX-License-Identifier: Apache-2.0
// Arrays from bytes, and what .npz files need: the check sum of zip and the decoder of its
// compressed members (deflate, RFC 1951). library/numpy/_files.pk composes them.
#include "dtype_object.h"
#include "nd.h"
#include "nd_shape.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/evaluator_state.h"
#include "python/objects/make.h"
#include "python/objects/protocol.h"
#include "python/objects/raise.h"
#include <string.h>

static Str take_bytes(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || v.o->type != ev->types.bytes)
    eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
               value_type_name(ev, v));
  return ((const BytesObject *)v.o)->text;
}

// ---- arrays -------------------------------------------------------------------------------------
static void swap_bytes(char *data, size_t size, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    for (size_t a = 0, b = size - 1; a < b; a++, b--) {
      char *p = data + (size_t)i * size, c = p[a];
      p[a] = p[b];
      p[b] = c;
    }
}

// The array of that shape whose elements are the bytes from `offset` on; swapped: they have the
// other byte order.
static Value native_from_bytes(Eval *ev, Value *a) {
  Str bytes = take_bytes(ev, a[0]);
  int64_t dims[ND_MAX_RANK], count = 1, size, offset = take_int(ev, a[3], "offset");
  DType dtype = take_dtype(ev, a[1], "dtype");
  size_t rank = take_shape(ev, a[2], dims, "shape");
  bool fits = offset >= 0 && (uint64_t)offset <= bytes.len;
  for (size_t i = 0; i < rank && fits; i++) fits = !__builtin_mul_overflow(count, dims[i], &count);
  if (!fits || __builtin_mul_overflow(count, (int64_t)dtype_size(dtype), &size) ||
      (uint64_t)size > bytes.len - (uint64_t)offset)
    eval_raise(ev, ev->types.ValueError, "the array needs more bytes than there are");
  NdArray *nd = nd_new(ev, dtype, rank, dims);
  if (size) memcpy(nd->data, bytes.data + offset, (size_t)size);
  if (value_truth(ev, a[4])) swap_bytes(nd->data, dtype_size(dtype), count);
  return v_object(nd);
}

// ---- check sums ---------------------------------------------------------------------------------
static Value native_crc32(Eval *ev, Value *a) {
  Str bytes = take_bytes(ev, a[0]);
  uint32_t table[256], crc = ~0u;
  for (uint32_t i = 0; i < COUNT_OF(table); i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
  }
  for (size_t i = 0; i < bytes.len; i++)
    crc = table[(crc ^ (unsigned char)bytes.data[i]) & 0xff] ^ crc >> 8;
  return v_int(~crc);
}

// ---- deflate ------------------------------------------------------------------------------------
enum { MAX_BITS = 15, MAX_SYMBOLS = 288, LENGTH_CODES = 29, DISTANCE_CODES = 30 };

// A canonical Huffman code: how many words of each length, and their symbols in order.
typedef struct Huffman {
  uint16_t count[MAX_BITS + 1], symbols[MAX_SYMBOLS];
} Huffman;

typedef struct Inflate {
  Str in;
  size_t at;
  uint32_t bits, bit_count; // taken from the input, not used yet
  char *out;
  size_t size, room;
  bool bad; // the input has ended, or is none; what is read then is 0
} Inflate;

static uint32_t take_bits(Inflate *s, uint32_t count) {
  while (s->bit_count < count) {
    if (s->at == s->in.len) {
      s->bad = true;
      return 0;
    }
    s->bits |= (uint32_t)(unsigned char)s->in.data[s->at++] << s->bit_count;
    s->bit_count += 8;
  }
  uint32_t value = s->bits & ((1u << count) - 1);
  s->bits >>= count;
  s->bit_count -= count;
  return value;
}

static void make_code(Inflate *s, Huffman *h, const uint8_t *lengths, size_t count) {
  uint16_t next[MAX_BITS + 1];
  *h = (Huffman){0};
  for (size_t i = 0; i < count; i++) h->count[lengths[i]]++;
  h->count[0] = 0;
  int left = 1; // words of this length that are free
  next[1] = 0;
  for (int length = 1; length <= MAX_BITS; length++) {
    left = 2 * left - h->count[length];
    if (left < 0) {
      s->bad = true;
      return;
    }
    if (length < MAX_BITS) next[length + 1] = (uint16_t)(next[length] + h->count[length]);
  }
  for (size_t i = 0; i < count; i++)
    if (lengths[i]) h->symbols[next[lengths[i]]++] = (uint16_t)i;
}

static uint32_t take_symbol(Inflate *s, const Huffman *h) {
  uint32_t word = 0, first = 0, index = 0;
  for (int length = 1; length <= MAX_BITS && !s->bad; length++) {
    word |= take_bits(s, 1);
    if (word - first < h->count[length]) return h->symbols[index + word - first];
    index += h->count[length];
    first = (first + h->count[length]) << 1;
    word <<= 1;
  }
  s->bad = true;
  return 0;
}

static void stored_block(Inflate *s) {
  s->bits = s->bit_count = 0;
  if (s->in.len - s->at < 4) {
    s->bad = true;
    return;
  }
  const unsigned char *head = (const unsigned char *)s->in.data + s->at;
  size_t length = head[0] | (size_t)head[1] << 8, check = head[2] | (size_t)head[3] << 8;
  s->at += 4;
  if ((length ^ check) != 0xffff || s->in.len - s->at < length || s->room - s->size < length) {
    s->bad = true;
    return;
  }
  memcpy(s->out + s->size, s->in.data + s->at, length);
  s->at += length;
  s->size += length;
}

static void copy_back(Inflate *s, size_t length, size_t distance) {
  if (distance > s->size || length > s->room - s->size) {
    s->bad = true;
    return;
  }
  for (size_t i = 0; i < length; i++, s->size++) s->out[s->size] = s->out[s->size - distance];
}

static void coded_block(Inflate *s, const Huffman *literals, const Huffman *distances) {
  static const uint16_t length_base[LENGTH_CODES] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                     15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                     67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t length_bits[LENGTH_CODES] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  while (!s->bad) {
    uint32_t symbol = take_symbol(s, literals);
    if (s->bad || symbol == 256) return;
    if (symbol < 256) {
      if (s->size == s->room)
        s->bad = true;
      else
        s->out[s->size++] = (char)symbol;
      continue;
    }
    symbol -= 257;
    if (symbol >= LENGTH_CODES) break;
    size_t length = length_base[symbol] + take_bits(s, length_bits[symbol]);
    uint32_t code = take_symbol(s, distances);
    if (code >= DISTANCE_CODES) break;
    // Two codes for each number of further bits.
    uint32_t extra = code < 4 ? 0 : code / 2 - 1;
    size_t base = code < 4 ? code + 1 : ((size_t)(2 + code % 2) << extra) + 1;
    size_t distance = base + take_bits(s, extra);
    if (!s->bad) copy_back(s, length, distance);
  }
  s->bad = true;
}

static void fixed_block(Inflate *s) {
  uint8_t lengths[MAX_SYMBOLS];
  Huffman literals, distances;
  for (size_t i = 0; i < MAX_SYMBOLS; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  make_code(s, &literals, lengths, MAX_SYMBOLS);
  memset(lengths, 5, DISTANCE_CODES);
  make_code(s, &distances, lengths, DISTANCE_CODES);
  coded_block(s, &literals, &distances);
}

static void dynamic_block(Inflate *s) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
  uint8_t lengths[MAX_SYMBOLS + 32] = {0};
  size_t literal_count = take_bits(s, 5) + 257, distance_count = take_bits(s, 5) + 1,
         order_count = take_bits(s, 4) + 4, total = literal_count + distance_count;
  for (size_t i = 0; i < order_count; i++) lengths[order[i]] = (uint8_t)take_bits(s, 3);
  Huffman code, literals, distances;
  make_code(s, &code, lengths, COUNT_OF(order));
  memset(lengths, 0, sizeof lengths);
  for (size_t i = 0; i < total && !s->bad;) {
    uint32_t symbol = take_symbol(s, &code);
    if (symbol < 16) {
      lengths[i++] = (uint8_t)symbol;
      continue;
    }
    uint8_t again = symbol == 16 && i ? lengths[i - 1] : 0;
    size_t times = symbol == 16   ? take_bits(s, 2) + 3
                   : symbol == 17 ? take_bits(s, 3) + 3
                                  : take_bits(s, 7) + 11;
    s->bad |= (symbol == 16 && i == 0) || times > total - i;
    for (; times > 0 && !s->bad; times--) lengths[i++] = again;
  }
  s->bad |= literal_count > MAX_SYMBOLS - 2 || distance_count > DISTANCE_CODES;
  if (s->bad) return;
  make_code(s, &literals, lengths, literal_count);
  make_code(s, &distances, lengths + literal_count, distance_count);
  coded_block(s, &literals, &distances);
}

// The bytes that were compressed; None if they are damaged, or not `size` many.
static Value native_inflate(Eval *ev, Value *a) {
  int64_t size = take_int(ev, a[1], "size");
  Inflate s = {.in = take_bytes(ev, a[0])};
  // A byte cannot stand for more than some thousand: a header's claim alone takes no memory.
  if (size < 0 || (uint64_t)size / 2048 > s.in.len) return v_none();
  s.room = (size_t)size;
  s.out = arena_alloc(ev->arena, s.room + 1);
  bool is_last = false;
  while (!is_last && !s.bad) {
    is_last = take_bits(&s, 1);
    switch (take_bits(&s, 2)) {
    case 0: stored_block(&s); break;
    case 1: fixed_block(&s); break;
    case 2: dynamic_block(&s); break;
    default: s.bad = true;
    }
  }
  return s.bad || s.size != s.room ? v_none() : make_bytes(ev, (Str){s.out, s.size});
}

static const NativeDef natives[] = {
    {"from_bytes(data, dtype, shape, offset, swapped)", native_from_bytes},
    {"crc32(data)", native_crc32},
    {"inflate(data, size)", native_inflate},
    {NULL, NULL},
};

const ModuleDef module_np_bytes = {.name = "_np_bytes", .functions = natives};
