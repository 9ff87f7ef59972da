// SPDX-License-Identifier: Apache-2.0
// Meshes of cores as text: "tensor core:2; vector core:4 subcore:16".
#include "ir.h"

static const char *const kind_names[] = {[CORE_TENSOR] = "tensor",
                                         [CORE_SCALAR] = "scalar",
                                         [CORE_VECTOR] = "vector",
                                         [CORE_DEVICE] = "device"};

const char *core_kind_name(CoreKind kind) { return kind_names[kind]; }

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

bool ir_mesh_next(Str *text, IrMesh *out) {
  *out = (IrMesh){.kind = CORE_KIND_COUNT};
  Str kind = next_word(text);
  for (int k = 0; k < CORE_KIND_COUNT; k++)
    if (str_equal(kind, str_from_c(kind_names[k]))) out->kind = (CoreKind)k;
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

void ir_mesh_put(Buf *out, const IrMesh *mesh) {
  if (out->len) buf_c(out, "; ");
  buf_c(out, kind_names[mesh->kind]);
  for (int i = 0; i < mesh->rank; i++)
    buf_printf(out, " %.*s:%lld", STR_FMT(mesh->names[i]), (long long)mesh->sizes[i]);
}

bool ir_runs_devices(const IrOp *op) {
  Str meshes = op->code == OP_CORES ? ir_attr_str(op, ATTR_MESHES) : STR("");
  IrMesh mesh;
  return meshes.len && ir_mesh_next(&meshes, &mesh) && mesh.kind == CORE_DEVICE;
}

int64_t ir_mesh_size(const IrMesh *mesh) {
  int64_t size = 1;
  for (int i = 0; i < mesh->rank; i++) size *= mesh->sizes[i];
  return size;
}

const IrRegion *ir_program_around(const IrRegion *region) {
  while (region && !(region->parent && region->parent->code == OP_CORES))
    region = ir_region_outer(region);
  return region;
}

IrMesh ir_program_mesh(const IrRegion *program) {
  const IrOp *cores = program->parent;
  Str meshes = ir_attr_str(cores, ATTR_MESHES);
  IrMesh mesh = {.kind = CORE_DEVICE};
  for (size_t i = 0; ir_mesh_next(&meshes, &mesh) && cores->regions[i] != program;) i++;
  return mesh;
}
