// SPDX-License-Identifier: Apache-2.0
// The small pieces of the IR's text: elements, types, words. Printing and reading stand side by
// side here, so that each can be held against the other.
#include "base/buf.h"
#include "ir/core/mesh.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_is_word(Str s) {
  if (!s.len || !text_is_word_start(s.data[0])) return false;
  for (size_t i = 0; i < s.len; i++)
    if (!text_is_word_byte(s.data[i])) return false;
  return true;
}

// ---- elements ----------------------------------------------------------------------------------
static uint64_t element_bits(DType dtype, const void *element) {
  uint64_t bits = 0;
  memcpy(&bits, element, dtype_size(dtype)); // little-endian hosts only
  return bits;
}

// Whether `text` reads back as the element.
static bool reads_back(DType dtype, const char *text, uint64_t bits) {
  uint64_t bytes = 0;
  dtype_store_f64(dtype, &bytes, strtod(text, NULL));
  return bytes == bits;
}

static void print_float(Buf *out, DType dtype, const void *element) {
  double value = dtype_load_f64(dtype, element);
  uint64_t bits = element_bits(dtype, element), plain = 0;
  if (value - value != 0) { // NaN, infinity
    dtype_store_f64(dtype, &plain, value != value ? (double)__builtin_nan("") : value);
    if (plain != bits)
      buf_printf(out, "0x%0*llx", (int)dtype_size(dtype) * 2, (unsigned long long)bits);
    else
      buf_c(out, value != value ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  if (value > -1e9 && value < 1e9 && value == (double)(int64_t)value) {
    buf_printf(out, "%.0f", value);
    return;
  }
  char text[344];         // what "%.17g" could need at most
  int low = 1, high = 17; // digits: enough at `high`; each digit more is at least as close
  while (low < high) {
    int middle = (low + high) / 2;
    snprintf(text, sizeof text, "%.*g", middle, value);
    if (reads_back(dtype, text, bits))
      high = middle;
    else
      low = middle + 1;
  }
  snprintf(text, sizeof text, "%.*g", high, value);
  buf_c(out, text);
}

void text_print_element(Buf *out, DType dtype, const void *element) {
  if (dtype_is_float(dtype))
    print_float(out, dtype, element);
  else if (dtype == DT_BOOL)
    buf_c(out, dtype_load_i64(dtype, element) ? "true" : "false");
  else if (dtype == DT_U64)
    buf_printf(out, "%llu", (unsigned long long)dtype_load_i64(dtype, element));
  else
    buf_printf(out, "%lld", (long long)dtype_load_i64(dtype, element));
}

static bool read_float(Arena *arena, DType dtype, Str text, void *element) {
  ArenaMark mark = arena_mark(arena);
  const char *start = str_copy(arena, text).data;
  char *end;
  if (str_starts_with(text, STR("0x"))) {
    if (text.len != 2 + 2 * dtype_size(dtype)) return false;
    unsigned long long bits = strtoull(start + 2, &end, 16);
    memcpy(element, &bits, dtype_size(dtype));
  } else {
    double value = strtod(start, &end);
    dtype_store_f64(dtype, element, value);
  }
  bool whole = end == start + text.len;
  arena_release(arena, mark);
  return whole;
}

bool text_element(Arena *arena, DType dtype, Str text, void *element) {
  if (!text.len) return false;
  if (dtype == DT_BOOL) {
    bool value = str_equal(text, STR("true"));
    if (!value && !str_equal(text, STR("false"))) return false;
    dtype_store_i64(dtype, element, value);
    return true;
  }
  if (dtype_is_float(dtype)) return read_float(arena, dtype, text, element);
  bool negative = text.data[0] == '-';
  uint64_t magnitude = 0;
  if (text.len == negative) return false;
  for (size_t i = negative; i < text.len; i++) {
    char c = text.data[i];
    if (c < '0' || c > '9' || __builtin_mul_overflow(magnitude, 10u, &magnitude) ||
        __builtin_add_overflow(magnitude, (uint64_t)(c - '0'), &magnitude))
      return false;
  }
  uint64_t limit = negative ? 0 - (uint64_t)dtype_int_min(dtype) : dtype_int_max(dtype);
  if (magnitude > limit) return false;
  dtype_store_i64(dtype, element, (int64_t)(negative ? 0 - magnitude : magnitude));
  return true;
}

// ---- meshes: "tensor core:2; vector core:4 subcore:16" ------------------------------------------
static bool is_end(Str s, size_t i) {
  return i == s.len || s.data[i] == ' ' || s.data[i] == ';' || s.data[i] == ':';
}

static Str next_word(Str *text) {
  while (text->len && text->data[0] == ' ') text->data++, text->len--;
  Str word = {text->data, 0};
  while (!is_end(*text, word.len)) word.len++;
  text->data += word.len;
  text->len -= word.len;
  return word;
}

static bool take(Str *text, char c) {
  if (!text->len || text->data[0] != c) return false;
  text->data++, text->len--;
  return true;
}

// Digits, not more than fit an i32.
static bool take_size(Str *text, int64_t *out) {
  Str word = next_word(text);
  *out = 0;
  for (size_t i = 0; i < word.len; i++) {
    if (word.data[i] < '0' || word.data[i] > '9' || *out > INT32_MAX / 10) return false;
    *out = *out * 10 + (word.data[i] - '0');
  }
  return word.len > 0 && *out > 0;
}

static bool next_mesh(Str *text, IrMesh *out) {
  *out = (IrMesh){.kind = CORE_KIND_COUNT};
  Str kind = next_word(text);
  for (int k = 0; k < CORE_KIND_COUNT; k++)
    if (str_equal(kind, str_from_c(core_kind_name((CoreKind)k)))) out->kind = (CoreKind)k;
  if (out->kind == CORE_KIND_COUNT) return false;
  while (text->len && text->data[0] != ';') {
    if (out->rank == IR_MESH_AXES) return false;
    out->names[out->rank] = next_word(text);
    if (!out->names[out->rank].len || !take(text, ':') || !take_size(text, &out->sizes[out->rank]))
      return false;
    out->rank++;
  }
  return !take(text, ';') || text->len;
}

bool text_meshes(Arena *arena, Str text, IrMeshes *out) {
  VEC(IrMesh) meshes = {0};
  IrMesh mesh;
  while (text.len) {
    if (!next_mesh(&text, &mesh)) return false;
    VEC_PUSH(arena, &meshes, mesh);
  }
  *out = (IrMeshes){meshes.items, meshes.count};
  return true;
}

Str text_of_meshes(Arena *arena, IrMeshes meshes) {
  Buf out;
  buf_init(&out, arena);
  for (size_t i = 0; i < meshes.count; i++) {
    const IrMesh *mesh = &meshes.items[i];
    buf_printf(&out, "%s%s", i ? "; " : "", core_kind_name(mesh->kind));
    for (int k = 0; k < mesh->rank; k++)
      buf_printf(&out, " %.*s:%lld", STR_FMT(mesh->names[k]), (long long)mesh->sizes[k]);
  }
  return buf_view(&out);
}

// ---- words and types ---------------------------------------------------------------------------
const char *text_sem_kind(SemKind kind) {
  switch (kind) {
  case SEM_DMA: return "dma";
  case SEM_REGULAR: return "regular";
  case SEM_BARRIER: return "barrier";
  }
  BUG("no kind of semaphore %d", (int)kind);
}

// f32   bf16[8,128]   vmem f32[8,128]   sem dma[2]
void text_print_type(Buf *out, const IrType *type) {
  if (type->is_ref) buf_printf(out, "%s ", mem_space_name(type->space));
  bool is_sem = type->is_ref && type->space == SPACE_SEM;
  buf_c(out, is_sem ? text_sem_kind(type->sem) : dtype_short_name(type->dtype));
  if (!type->rank) return;
  for (int i = 0; i < type->rank; i++)
    buf_printf(out, "%c%lld", i ? ',' : '[', (long long)type->dims[i]);
  buf_char(out, ']');
}

// ---- attributes --------------------------------------------------------------------------------
bool text_default_int(AttrName name, int64_t *value) {
  switch (name) {
  case ATTR_UNROLL: *value = 1; return true;
  case ATTR_VMEM_LIMIT: *value = 0; return true;
  case ATTR_OWNER:
  case ATTR_SUM_BLOCK: *value = 0; return true;
  case ATTR_COLLECTIVE_ID: *value = -1; return true;
  case ATTR_PRESET: *value = PRESET_NONE; return true;
  default: return false;
  }
}

bool text_attr_is_inline(OpCode code, AttrName name) {
  switch (name) {
  case ATTR_DATA:
  case ATTR_INDEX:
  case ATTR_MASKED:
  case ATTR_GRID:
  case ATTR_SEMANTICS:
  case ATTR_PREFETCH:
  case ATTR_SCRATCH:
  case ATTR_BLOCKS: return true;
  case ATTR_NAME: return code == OP_ALLOC || code == OP_LAUNCH || code == OP_CORES;
  default: return false;
  }
}
