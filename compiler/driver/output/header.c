// SPDX-License-Identifier: Apache-2.0
// C headers: one prototype an entry point, with its shapes as comments and constants.
//
//   /* add(x: f32[512,512], y: f32[512,512]) -> f32[512,512] */
//   #define ADD_X_DIM0 512
//   ...
//   prt_status add(prt_machine *machine, const float *x, const float *y, float *out);
//   extern const prt_entry prt_entry_add;
//
// Of a family (ir/core/family.h) the sizes come before the arrays:
//   prt_status softmax(prt_machine *machine, int64_t n, const float *x, float *out);
#include <string.h>
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "header.h"
#include "path.h"
#include "ir/core/family.h"

// ---- the text -----------------------------------------------------------------------------------
static const char *c_type(DType dtype) {
  static const struct {
    const char *name, *type;
  } table[] = {
#define PRT_DTYPE(id, number, short_name, name, bytes, kind, c_type, descr) {name, c_type},
#include "prt_dtype.def"
#undef PRT_DTYPE
  };
  for (size_t i = 0; i < COUNT_OF(table); i++)
    if (!strcmp(table[i].name, dtype_name(dtype))) return table[i].type;
  BUG("no C type for %s", dtype_name(dtype));
}

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static void put_upper(Buf *out, Str text) {
  for (size_t i = 0; i < text.len; i++) {
    char c = upper(text.data[i]);
    bool word = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    buf_char(out, word ? c : '_');
  }
}

// A comment must not end early, nor begin another one.
static void put_comment(Buf *out, Str text) {
  for (size_t i = 0; i < text.len; i++) {
    bool ends = i > 0 && ((text.data[i - 1] == '*' && text.data[i] == '/') ||
                          (text.data[i - 1] == '/' && text.data[i] == '*'));
    if (ends) buf_char(out, ' ');
    buf_char(out, text.data[i] == '\n' ? ' ' : text.data[i]);
  }
}

typedef struct Writer {
  Session *session;
  const IrModule *module;
  Buf out;
  Map *macros; // names given so far
} Writer;

// Whether a function or parameter has the name, or one of the constants that are made of it.
static bool names_macro(Str name, Str prefix) {
  if (!str_starts_with(name, prefix)) return false;
  Str rest = {name.data + prefix.len, name.len - prefix.len};
  static const char *const heads[] = {"_COUNT", "_DIM", "_SIZES"};
  for (size_t i = 0; i < COUNT_OF(heads); i++)
    if (str_starts_with(rest, str_from_c(heads[i]))) return true;
  return rest.len == 0;
}

static bool is_in_use(const Writer *w, Name prefix) {
  if (map_has(w->macros, prefix)) return true;
  for (const IrFunc *func = w->module->first; func; func = func->next) {
    if (names_macro(name_str(ir_family_name(func)), name_str(prefix))) return true;
    for (uint32_t i = 0; i < func->param_count; i++)
      if (names_macro(name_str(func->params[i].name), name_str(prefix))) return true;
    for (size_t i = 0; func->family && i < func->family->count; i++)
      if (names_macro(name_str(func->family->sizes[i]), name_str(prefix))) return true;
  }
  return false;
}

// ADD_X, or ADD_X_2 if another entry point's names came out the same, or are it.
static Name macro_prefix(Writer *w, const IrFunc *func, Str what) {
  Arena *arena = w->session->arena;
  Buf buf;
  buf_init(&buf, arena);
  put_upper(&buf, name_str(ir_family_name(func)));
  buf_char(&buf, '_');
  put_upper(&buf, what);
  Name base = name_intern(w->session->interner, buf_view(&buf)), name = base;
  for (int n = 2; is_in_use(w, name); n++)
    name = name_intern(w->session->interner, str_format(arena, "%s_%d", base->text, n));
  map_set(w->macros, name, w);
  return name;
}

// What depends on sizes has constants for the largest.
static void put_constants(Writer *w, const IrFunc *func, uint32_t param) {
  const IrType *type = func->body->args[param]->type;
  Name prefix = macro_prefix(w, func, name_str(func->params[param].name));
  bool all_fixed = true;
  int64_t count = 0;
  for (int i = 0; i < type->rank; i++) {
    bool is_fixed;
    int64_t size = ir_family_max_dim(func, param, i, &is_fixed);
    buf_printf(&w->out, "#define %s_DIM%d%s %lld\n", prefix->text, i, is_fixed ? "" : "_MAX",
               (long long)size);
    all_fixed &= is_fixed;
  }
  for (const IrFunc *f = func; f; f = ir_family_next(f)) {
    int64_t elements = ir_type_count(f->body->args[param]->type);
    if (elements > count) count = elements;
  }
  buf_printf(&w->out, "#define %s_COUNT%s %lld\n", prefix->text, all_fixed ? "" : "_MAX",
             (long long)count);
}

// SOFTMAX_N_SIZES, to initialise an array.
static void put_sizes(Writer *w, const IrFunc *func, size_t size) {
  Name prefix = macro_prefix(w, func, name_str(func->family->sizes[size]));
  IrInts values = ir_family_values(w->session->arena, func, size);
  buf_printf(&w->out, "#define %s_SIZES ", prefix->text);
  for (size_t i = 0; i < values.count; i++)
    buf_printf(&w->out, i ? ", %lld" : "%lld", (long long)values.items[i]);
  buf_char(&w->out, '\n');
}

// "   n: size, one of 256, 512"
static void put_size_description(Writer *w, const IrFunc *func, size_t size) {
  IrInts values = ir_family_values(w->session->arena, func, size);
  buf_printf(&w->out, "   %s: size, one of ", func->family->sizes[size]->text);
  for (size_t i = 0; i < values.count; i++)
    buf_printf(&w->out, i ? ", %lld" : "%lld", (long long)values.items[i]);
  buf_c(&w->out, "; any other is PRT_ERROR_ARGUMENT\n");
}

// How the array lies on the devices; of a family whose parts differ in size, without that.
static Str sharding_of(const IrFunc *func, uint32_t param) {
  Str text = func->params[param].sharding;
  bool is_same = true;
  for (const IrFunc *f = func; f; f = ir_family_next(f))
    is_same &= str_equal(f->params[param].sharding, text);
  for (size_t i = 0; i + 1 < text.len && !is_same; i++)
    if (text.data[i] == ':' && text.data[i + 1] == ' ') return (Str){text.data, i};
  return text;
}

// "   x: in, float32[512, 512], params['w']"
static void put_description(Writer *w, const IrFunc *func, uint32_t param) {
  static const char *const roles[] = {"in", "out", "in and out"};
  const IrParam *p = &func->params[param];
  const IrType *type = func->body->args[param]->type;
  buf_printf(&w->out, "   %s: %s, %s[", p->name->text, roles[p->role], dtype_name(type->dtype));
  for (int i = 0; i < type->rank; i++)
    buf_printf(&w->out, i ? ", %.*s" : "%.*s",
               STR_FMT(ir_family_dim(w->session->arena, func, param, i)));
  buf_c(&w->out, "]");
  Str sharding = sharding_of(func, param);
  if (sharding.len) {
    buf_c(&w->out, ", ");
    put_comment(&w->out, sharding);
  }
  if (p->label.len && !str_equal(p->label, name_str(p->name))) {
    buf_c(&w->out, ", ");
    put_comment(&w->out, p->label);
  }
  buf_c(&w->out, "\n");
}

// ---- functions over devices ---------------------------------------------------------------------
static void find_devices(IrOp *op, void *data) {
  IrMesh *largest = data;
  if (!ir_runs_devices(op)) return;
  const IrMesh *mesh = &ir_attr_meshes(op).items[0];
  if (ir_mesh_size(mesh) > ir_mesh_size(largest)) *largest = *mesh;
}

// The largest mesh of devices that a function runs on; false if it runs on one device.
static bool devices_of(const IrFunc *func, IrMesh *mesh) {
  *mesh = (IrMesh){.kind = CORE_DEVICE};
  for (const IrFunc *f = func; f; f = ir_family_next(f)) ir_walk(f->body, find_devices, mesh);
  return mesh->rank > 0;
}

// "   runs on 8 devices, a mesh of x: 4, y: 2; ..."
static void put_devices(Writer *w, const IrFunc *func, const IrMesh *mesh) {
  buf_printf(&w->out, "   runs on %lld devices, a mesh of ", (long long)ir_mesh_size(mesh));
  for (int i = 0; i < mesh->rank; i++) {
    if (i) buf_c(&w->out, ", ");
    put_comment(&w->out, mesh->names[i]);
    buf_printf(&w->out, ": %lld", (long long)mesh->sizes[i]);
  }
  buf_printf(
      &w->out,
      "; a machine that is told its devices (options.devices of\n   prt_machine_new) must have %d. "
      "The arrays are the global ones: the runtime gives each device its part\n",
      func->module->devices);
}

static void put_device_count(Writer *w, const IrFunc *func, const IrMesh *mesh) {
  buf_printf(&w->out, "#define %s %lld\n", macro_prefix(w, func, STR("DEVICES"))->text,
             (long long)ir_mesh_size(mesh));
}

// A prototype that is being written: lines end before column 80.
typedef struct Prototype {
  Buf *out;
  size_t line, indent; // where its last line begins; how far the later ones are indented
} Prototype;

static void put_parameter(Prototype *p, Str piece) {
  buf_char(p->out, ',');
  if (p->out->len - p->line + 1 + piece.len > 78) {
    buf_char(p->out, '\n');
    p->line = p->out->len;
    buf_pad(p->out, ' ', p->indent);
  } else {
    buf_char(p->out, ' ');
  }
  buf_str(p->out, piece);
}

static void put_prototype(Writer *w, const IrFunc *func) {
  Arena *arena = w->session->arena;
  Prototype p = {.out = &w->out, .line = w->out.len};
  buf_printf(&w->out, "prt_status %s(", ir_family_name(func)->text);
  p.indent = w->out.len - p.line;
  buf_c(&w->out, "prt_machine *machine");
  for (size_t i = 0; func->family && i < func->family->count; i++)
    put_parameter(&p, str_format(arena, "int64_t %s", func->family->sizes[i]->text));
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrParam *param = &func->params[i];
    put_parameter(&p, str_format(arena, "%s%s *%s", param->role == PARAM_IN ? "const " : "",
                                 c_type(func->body->args[i]->type->dtype), param->name->text));
  }
  buf_c(&w->out, ");\n");
}

static void put_entry(Writer *w, const IrFunc *func) {
  size_t sizes = func->family ? func->family->count : 0;
  Str signature = sizes ? ir_family_signature(w->session->arena, func) : func->signature;
  buf_c(&w->out, "\n/* ");
  put_comment(&w->out, signature.len ? signature : name_str(func->name));
  buf_c(&w->out, "\n");
  IrMesh mesh;
  bool has_devices = devices_of(func, &mesh);
  if (has_devices) put_devices(w, func, &mesh);
  for (size_t i = 0; i < sizes; i++) put_size_description(w, func, i);
  for (uint32_t i = 0; i < func->param_count; i++) put_description(w, func, i);
  buf_c(&w->out, "*/\n");
  if (has_devices) put_device_count(w, func, &mesh);
  for (size_t i = 0; i < sizes; i++) put_sizes(w, func, i);
  for (uint32_t i = 0; i < func->param_count; i++) put_constants(w, func, i);
  put_prototype(w, func);
  buf_printf(&w->out, "extern const prt_entry prt_entry_%s;\n", ir_family_name(func)->text);
}

Str header_text(Session *session, const IrModule *module, Str source, Str header_path) {
  Writer w = {.session = session, .module = module, .macros = map_new(session->arena)};
  buf_init(&w.out, session->arena);
  Buf guard;
  buf_init(&guard, session->arena);
  buf_c(&guard, "PALLASC_");
  put_upper(&guard, str_equal(header_path, STR("-")) ? path_file_name(source)
                                                     : path_file_name(header_path));
  // Two headers of one name in two folders are two headers.
  if (module->first) {
    buf_char(&guard, '_');
    put_upper(&guard, name_str(ir_family_name(module->first)));
  }
  buf_c(&w.out, "/* Made by pallasc from ");
  put_comment(&w.out, path_file_name(source));
  buf_printf(&w.out,
             ". Link its object with -lpallasrt -lm -pthread.\n   A machine of NULL is the "
             "process's default one. A status other than "
             "PRT_OK comes with prt_error_message().\n"
             "   Arrays are row-major; an output must not overlap any other argument. */\n");
  buf_printf(&w.out,
             "#ifndef %s\n#define %s\n#include \"prt.h\" /* pkg-config --cflags pallasrt */\n\n"
             "#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
             guard.data, guard.data);
  for (const IrFunc *func = module->first; func; func = func->next)
    if (ir_family_is_first(func)) put_entry(&w, func);
  buf_printf(&w.out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
  return buf_view(&w.out);
}
