// SPDX-License-Identifier: Apache-2.0
// C headers: one prototype an entry point, with its shapes as comments and constants.
//
//   /* add(x: f32[512,512], y: f32[512,512]) -> f32[512,512] */
//   #define ADD_X_DIM0 512
//   ...
//   prt_status add(prt_machine *machine, const float *x, const float *y, float *out);
//   extern const prt_entry prt_entry_add;
#include <string.h>
#include "driver.h"

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
  return rest.len == 0 || str_equal(rest, STR("_COUNT")) || str_starts_with(rest, STR("_DIM"));
}

static bool is_in_use(const Writer *w, Name prefix) {
  if (map_has(w->macros, prefix)) return true;
  for (const IrFunc *func = w->module->first; func; func = func->next) {
    if (names_macro(name_str(func->name), name_str(prefix))) return true;
    for (uint32_t i = 0; i < func->param_count; i++)
      if (names_macro(name_str(func->params[i].name), name_str(prefix))) return true;
  }
  return false;
}

// ADD_X, or ADD_X_2 if another entry point's names came out the same, or are it.
static Name macro_prefix(Writer *w, const IrFunc *func, Str what) {
  Arena *arena = w->session->arena;
  Buf buf;
  buf_init(&buf, arena);
  put_upper(&buf, name_str(func->name));
  buf_char(&buf, '_');
  put_upper(&buf, what);
  Name base = name_intern(w->session->interner, buf_view(&buf)), name = base;
  for (int n = 2; is_in_use(w, name); n++)
    name = name_intern(w->session->interner, str_format(arena, "%s_%d", base->text, n));
  map_set(w->macros, name, w);
  return name;
}

static void put_constants(Writer *w, const IrFunc *func, uint32_t param) {
  const IrType *type = func->body->args[param]->type;
  Name prefix = macro_prefix(w, func, name_str(func->params[param].name));
  for (int i = 0; i < type->rank; i++)
    buf_printf(&w->out, "#define %s_DIM%d %lld\n", prefix->text, i, (long long)type->dims[i]);
  buf_printf(&w->out, "#define %s_COUNT %lld\n", prefix->text, (long long)ir_type_count(type));
}

// "  x    in   float32[512, 512]  (params['w'])"
static void put_description(Writer *w, const IrFunc *func, uint32_t param) {
  static const char *const roles[] = {"in", "out", "in and out"};
  const IrParam *p = &func->params[param];
  const IrType *type = func->body->args[param]->type;
  buf_printf(&w->out, "   %s: %s, %s[", p->name->text, roles[p->role], dtype_name(type->dtype));
  for (int i = 0; i < type->rank; i++)
    buf_printf(&w->out, i ? ", %lld" : "%lld", (long long)type->dims[i]);
  buf_c(&w->out, "]");
  if (p->sharding.len) {
    buf_c(&w->out, ", ");
    put_comment(&w->out, p->sharding);
  }
  if (p->label.len && !str_equal(p->label, name_str(p->name))) {
    buf_c(&w->out, ", ");
    put_comment(&w->out, p->label);
  }
  buf_c(&w->out, "\n");
}

// ---- functions over devices ---------------------------------------------------------------------
static void find_devices(IrOp *op, void *data) {
  IrMesh mesh, *largest = data;
  if (!ir_runs_devices(op)) return;
  Str text = ir_attr_str(op, ATTR_MESHES);
  ir_mesh_next(&text, &mesh);
  if (ir_mesh_size(&mesh) > ir_mesh_size(largest)) *largest = mesh;
}

// The largest mesh of devices that a function runs on; false if it runs on one device.
static bool devices_of(const IrFunc *func, IrMesh *mesh) {
  *mesh = (IrMesh){.kind = CORE_DEVICE};
  ir_walk(func->body, find_devices, mesh);
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

static void put_prototype(Writer *w, const IrFunc *func) {
  size_t start = w->out.len;
  buf_printf(&w->out, "prt_status %s(", func->name->text);
  size_t indent = w->out.len - start, line = start;
  buf_c(&w->out, "prt_machine *machine");
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrParam *p = &func->params[i];
    Str piece = str_format(w->session->arena, "%s%s *%s", p->role == PARAM_IN ? "const " : "",
                           c_type(func->body->args[i]->type->dtype), p->name->text);
    buf_char(&w->out, ',');
    if (w->out.len - line + 1 + piece.len > 78) {
      buf_char(&w->out, '\n');
      line = w->out.len;
      buf_pad(&w->out, ' ', indent);
    } else {
      buf_char(&w->out, ' ');
    }
    buf_str(&w->out, piece);
  }
  buf_c(&w->out, ");\n");
}

static void put_entry(Writer *w, const IrFunc *func) {
  buf_c(&w->out, "\n/* ");
  put_comment(&w->out, func->signature.len ? func->signature : name_str(func->name));
  buf_c(&w->out, "\n");
  IrMesh mesh;
  bool has_devices = devices_of(func, &mesh);
  if (has_devices) put_devices(w, func, &mesh);
  for (uint32_t i = 0; i < func->param_count; i++) put_description(w, func, i);
  buf_c(&w->out, "*/\n");
  if (has_devices) put_device_count(w, func, &mesh);
  for (uint32_t i = 0; i < func->param_count; i++) put_constants(w, func, i);
  put_prototype(w, func);
  buf_printf(&w->out, "extern const prt_entry prt_entry_%s;\n", func->name->text);
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
    put_upper(&guard, name_str(module->first->name));
  }
  buf_c(&w.out, "/* Made by pallasc from ");
  put_comment(&w.out, path_file_name(source));
  buf_printf(&w.out, ". Link its object with -lpallasrt -lm -pthread.\n   A machine of NULL is the "
                     "process's default one. A status other than "
                     "PRT_OK comes with prt_error_message().\n"
                     "   Arrays are row-major; an output must not overlap any other argument. */\n");
  buf_printf(
      &w.out,
      "#ifndef %s\n#define %s\n#include \"prt.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
      guard.data, guard.data);
  for (const IrFunc *func = module->first; func; func = func->next) put_entry(&w, func);
  buf_printf(&w.out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
  return buf_view(&w.out);
}
