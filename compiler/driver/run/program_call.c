// SPDX-License-Identifier: Apache-2.0
// Calls of one function from the command line: on .npy files and values, or on made-up inputs.
//
// The arrays' types are bound to names of the module, and the function is traced as --entry would
// trace it: add(x_npy, y_npy, bm=256).
#include "base/plural.h"
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/ir.h"
#include "driver/output/output.h"
#include "driver/output/path.h"
#include "driver/compile/stage_options.h"
#include "jit_backend.h"
#include "made_up.h"
#include "program.h"
#include "array_files.h"
#include "python/modules/module.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "driver/progress/progress.h"
#include "prt_npy.h"
#include "jax/program/annotation.h"
#include "jax/program/eager.h"
#include "jax/program/entry.h"
#include "python/core/function.h"
#include "python/eval.h"
#include "python/objects/attribute.h"
#include "python/values/dict.h"
#include "python/values/suggest.h"
#include "python/values/values.h"
#include "jax/array/array.h"
#include "jax/array/promote.h"
#include "jax/array/shape_struct.h"

typedef struct ArrayArg {
  Str text; // the argument as the user gave it; "" for made-up ones
  Str path; // the file, "-" for standard input
  prt_array array;
  Aval aval;
} ArrayArg;

// A parameter's annotation, if it is an array type.
typedef struct Annotated {
  bool has_type;
  Aval type;
} Annotated;
#define NO_PARAM SIZE_MAX

typedef struct Call {
  Session *session;
  const Options *options;
  Eval *ev;
  JitBackend *jit;
  Str function;         // what the entry point is called
  Str path;             // of the Python function: NAME, or CLASS.NAME
  const Params *params; // of the Python function, or NULL
  Annotated *annotated; // for each of them
  size_t position;      // of the next positional argument
  VEC(ArrayArg) arrays; // in the order of the function's parameters of the IR
  Buf spec;             // "add(x_npy, bm=256)"
  IrFunc *func;
} Call;

// ---- element types ------------------------------------------------------------------------------
// f64, i64 and u64 arrays become what JAX makes of them.
static prt_status narrow(const Eval *ev, prt_array *array) {
  DType from = compiler_dtype(array->dtype), to = canonical_dtype(ev, from);
  if (from == to) return PRT_OK;
  prt_array narrow;
  prt_status status = prt_array_new(runtime_dtype(to), array->rank, array->dims, &narrow);
  if (status) return status;
  size_t wide = dtype_size(from), slim = dtype_size(to);
  for (int64_t i = 0; i < array->count; i++) {
    const char *p = (const char *)array->data + (size_t)i * wide;
    char *q = (char *)narrow.data + (size_t)i * slim;
    if (dtype_is_float(from))
      dtype_store_f64(to, q, dtype_load_f64(from, p));
    else
      dtype_store_i64(to, q, dtype_load_i64(from, p));
  }
  prt_array_free(array);
  *array = narrow;
  return PRT_OK;
}

// ---- annotations --------------------------------------------------------------------------------
// Of NAME, or of CLASS.NAME; unbound: there is none.
static Value callee_at(Eval *ev, Str path) {
  Value at = v_object(ev->main);
  for (size_t begin = 0, end; begin <= path.len && !v_is_unbound(at); begin = end + 1) {
    for (end = begin; end < path.len && path.data[end] != '.';) end++;
    Name name = name_intern(ev->session->interner, (Str){path.data + begin, end - begin});
    at = begin ? value_getattr_opt(ev, at, name) : module_getattr(ev, ev->main, name);
  }
  return at;
}

// Finds the parameters of the function that is called, and their types. Runs under eval_protect.
static void read_parameters(Eval *ev, void *data) {
  Call *c = data;
  Value callee = callee_at(ev, c->path);
  Function *f = v_is_unbound(callee) ? NULL : callee_function(ev, callee);
  if (!f) return;
  c->params = f->params;
  c->annotated = ARENA_ARRAY(c->session->arena, Annotated, f->params->count + 1);
  for (size_t i = 0; i < f->params->count; i++)
    c->annotated[i].has_type = annotation_aval(ev, f, i, &c->annotated[i].type);
}

static bool same_type(const Aval *a, const Aval *b) {
  return a->dtype == b->dtype && a->rank == b->rank &&
         memcmp(a->dims, b->dims, a->rank * sizeof a->dims[0]) == 0;
}

// Whether an array may be the argument for a parameter, whose number may be NO_PARAM.
static bool fits_parameter(Call *c, const ArrayArg *arg, size_t param) {
  if (param == NO_PARAM || !c->annotated[param].has_type ||
      same_type(&c->annotated[param].type, &arg->aval))
    return true;
  Arena *arena = c->session->arena;
  const Param *p = &c->params->items[param];
  Diag *diag =
      diag_error(c->session, (Span){0}, "%.*s is %.*s, but parameter '%s' of '%.*s' is %.*s",
                 STR_FMT(arg->text), STR_FMT(aval_text(arena, &arg->aval)), p->name->text,
                 STR_FMT(c->function), STR_FMT(aval_text(arena, &c->annotated[param].type)));
  diag_note(c->session, diag, p->span, "the parameter is annotated here");
  return false;
}

// ---- arguments ----------------------------------------------------------------------------------
// "x.npy", "int4:x.npy", or a stream. Gives the path and the element type, if one is named.
static bool is_array(const Call *c, Str text, Str *path, prt_dtype *dtype, bool *has_dtype) {
  *path = text;
  *has_dtype = false;
  if (!str_ends_with(text, STR(".npy")))
    return path_is_stdout(text) || path_is_stream(c->session->arena, text);
  for (size_t i = 0; i < text.len && text.data[i] != '/'; i++) {
    if (text.data[i] != ':') continue;
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)i, text.data);
    *has_dtype = prt_dtype_from_name(name, dtype);
    if (*has_dtype) *path = (Str){text.data + i + 1, text.len - i - 1};
    break;
  }
  return true;
}

// A name that the module does not have, for messages to read well: x_npy for data/x.npy.
static Name free_name(const Call *c, Str argument) {
  char name[64] = "array";
  size_t begin = argument.len, len = 0;
  while (begin > 0 && argument.data[begin - 1] != '/' && argument.data[begin - 1] != ':') begin--;
  for (size_t i = begin; i < argument.len && len < 40; i++) {
    char at = argument.data[i];
    bool letter = (at >= 'a' && at <= 'z') || (at >= 'A' && at <= 'Z');
    name[len] = letter || (len > 0 && at >= '0' && at <= '9') ? at : '_';
    len++;
  }
  if (len == 0) len = strlen(name);
  for (size_t n = 0;; n++) {
    name[len] = 0;
    if (n) snprintf(name + len, sizeof name - len, "_%zu", n);
    Name interned = name_intern_c(c->session->interner, name);
    if (v_is_unbound(dict_get_name(c->ev->main->dict, interned))) return interned;
  }
}

// Binds the type of an array to a name of the module and puts that into the call.
static void put_array(Call *c, ArrayArg *arg) {
  Name name = free_name(c, arg->text);
  dict_set_name(c->ev, c->ev->main->dict, name, shape_dtype_struct_new(c->ev, &arg->aval));
  buf_c(&c->spec, name->text);
  VEC_PUSH(c->session->arena, &c->arrays, *arg);
}

static int read_array(Call *c, Str path, const prt_dtype *named, prt_array *out) {
  int ranks;
  jit_backend_rank(c->jit, &ranks);
  return array_read(c->session, path, named, ranks, c->options->shards, out);
}

// `named`: the element type that stands in front of the path, or NULL; else the annotation says
// what raw bytes are.
static int add_array(Call *c, Str text, Str path, const prt_dtype *named, size_t param) {
  ArrayArg arg = {.text = text, .path = path};
  prt_dtype annotated = PRT_F32;
  if (!named && param != NO_PARAM && c->annotated[param].has_type) {
    annotated = runtime_dtype(c->annotated[param].type.dtype);
    named = &annotated;
  }
  int read = read_array(c, path, named, &arg.array);
  if (read) return read;
  prt_status status = narrow(c->ev, &arg.array);
  if (status) return array_status(c->session, status);
  if (arg.array.rank > IR_MAX_RANK) {
    diag_error(c->session, (Span){0}, "%.*s: it has more than %d dimensions", STR_FMT(path),
               IR_MAX_RANK);
    return STATUS_FAULT;
  }
  arg.aval = (Aval){.dtype = compiler_dtype(arg.array.dtype), .rank = (uint8_t)arg.array.rank};
  memcpy(arg.aval.dims, arg.array.dims, (size_t)arg.array.rank * sizeof arg.aval.dims[0]);
  put_array(c, &arg);
  return fits_parameter(c, &arg, param) ? STATUS_DONE : STATUS_FAULT;
}

static bool is_word_char(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (!first && c >= '0' && c <= '9');
}

// The length of "name" in "name=value", 0 if the argument is not of that form.
static size_t keyword_length(Str text) {
  size_t i = 0;
  while (i < text.len && is_word_char(text.data[i], i == 0)) i++;
  return i > 0 && i + 1 < text.len && text.data[i] == '=' && text.data[i + 1] != '=' ? i : 0;
}

// The parameter an argument is for: by its keyword, or the next one by position.
static size_t parameter_of(Call *c, Str keyword) {
  if (!c->params) return NO_PARAM;
  if (!keyword.len) return c->position < c->params->positional ? c->position++ : NO_PARAM;
  for (size_t i = 0; i < c->params->count; i++)
    if (str_equal(name_str(c->params->items[i].name), keyword)) return i;
  return NO_PARAM;
}

// Whether the argument is meant as a file, or a function of one, and not as an expression: there is
// such a file, and its name is no name or number of Python.
static bool is_other_file(const Call *c, Str value) {
  const char *colon = memchr(value.data, ':', value.len);
  if (colon) value.len = (size_t)(colon - value.data);
  bool has_letter = false, has_separator = false;
  for (size_t i = 0; i < value.len; i++) {
    has_separator |= value.data[i] == '/' || value.data[i] == '.';
    has_letter |= value.data[i] != '.' && is_word_char(value.data[i], true);
  }
  return has_letter && has_separator && access(str_copy(c->session->arena, value).data, F_OK) == 0;
}

static int add_argument(Call *c, Str text, bool is_first) {
  if (!is_first) buf_c(&c->spec, ", ");
  Str keyword = {text.data, keyword_length(text)}, value = text, path;
  if (keyword.len) {
    value = (Str){text.data + keyword.len + 1, text.len - keyword.len - 1};
    buf_printf(&c->spec, "%.*s=", STR_FMT(keyword));
  }
  size_t param = parameter_of(c, keyword);
  prt_dtype dtype = PRT_F32;
  bool has_dtype;
  if (is_array(c, value, &path, &dtype, &has_dtype))
    return add_array(c, text, path, has_dtype ? &dtype : NULL, param);
  if (is_other_file(c, value)) {
    diag_error(c->session, (Span){0},
               "'%.*s' is no array: arrays are in files whose names end in .npy, and other "
               "arguments are expressions",
               STR_FMT(value));
    return STATUS_USAGE;
  }
  buf_str(&c->spec, value);
  return STATUS_DONE;
}

// ---- functions that are not there ---------------------------------------------------------------
// `function` may be an expression; only a name can be said to be missing.
static bool is_there(Eval *ev, Str function) {
  for (size_t i = 0; i < function.len; i++)
    if (function.data[i] == '.' || function.data[i] == '[' || function.data[i] == '(') return true;
  Name name = name_intern(ev->session->interner, function);
  return !v_is_unbound(global_lookup(ev, ev->main, name));
}

static void report_missing(Session *session, Eval *ev, Str function) {
  Suggestion s;
  suggestion_init(&s, function);
  suggestion_try_dict(&s, ev->main->dict);
  Str hint = suggestion_hint(ev, &s);
  if (!hint.len) hint = entry_functions(ev);
  diag_error(session, (Span){0}, "NameError: name '%.*s' is not defined; %.*s", STR_FMT(function),
             STR_FMT(hint));
}

// ---- the call -----------------------------------------------------------------------------------
static size_t result_count(const IrFunc *func) {
  size_t count = 0;
  for (uint32_t i = 0; i < func->param_count; i++) count += func->params[i].role == PARAM_OUT;
  return count;
}

// Of a function that was given no arguments, and cannot be called so: what they may be.
static void help_arguments(const Call *c) {
  Buf files;
  buf_init(&files, c->session->arena);
  for (size_t i = 0; c->params && i < c->params->positional; i++)
    if (!c->params->items[i].default_value)
      buf_printf(&files, " %s.npy", c->params->items[i].name->text);
  if (files.len && c->session->last_diag && !c->session->last_diag->help.len)
    diag_help(c->session->last_diag,
              str_format(c->session->arena,
                         "arguments stand behind the function, .npy files or expressions of "
                         "Python: pallasc %s %.*s%.*s",
                         c->options->command == COMMAND_CHECK ? "check" : "run",
                         STR_FMT(c->options->inputs.items[0]), STR_FMT(buf_view(&files))));
}

static int trace_call(Call *c) {
  EntryRequest request = {.text = buf_view(&c->spec), .has_values = true};
  if (!entry_trace(c->ev, &request, 1, false)) {
    if (str_ends_with(request.text, STR("()"))) help_arguments(c);
    return STATUS_FAULT;
  }
  c->func = ir_func_find(eager_entries(c->ev), name_intern(c->session->interner, c->function));
  if (!c->func) BUG("the entry point is not there");
  return STATUS_DONE;
}

// Memory for the results, and the buffers of all parameters.
static int bind_buffers(Call *c, void **buffers, prt_array *results) {
  size_t input = 0, output = 0;
  for (uint32_t i = 0; i < c->func->param_count; i++) {
    if (c->func->params[i].role != PARAM_OUT) {
      buffers[i] = c->arrays.items[input++].array.data;
      continue;
    }
    const IrType *type = c->func->body->args[i]->type;
    prt_status status =
        prt_array_new(runtime_dtype(type->dtype), type->rank, type->dims, &results[output]);
    if (status) return array_status(c->session, status);
    buffers[i] = results[output++].data;
  }
  return STATUS_DONE;
}

static int write_results(Call *c, size_t count, const prt_array *results) {
  Outputs *outputs = outputs_new(c->session);
  int ranks, rank = jit_backend_rank(c->jit, &ranks);
  for (size_t i = 0; i < count; i++) {
    prt_array part;
    const prt_array *r = &results[i];
    Str path = c->options->outputs.items[i];
    if (c->options->shards) {
      int status = shard_of(c->session, path, r, rank, ranks, &part, &path);
      if (status) return status;
      r = &part;
    }
    size_t header = prt_npy_header(r->dtype, r->rank, r->dims, NULL, 0);
    char *text = arena_alloc(c->session->arena, header + r->bytes);
    prt_npy_header(r->dtype, r->rank, r->dims, text, header);
    memcpy(text + header, r->data, r->bytes);
    outputs_add(outputs, path, (Str){text, header + r->bytes});
  }
  return outputs_write(outputs);
}

static int show_results(FILE *out, size_t count, const prt_array *results) {
  for (size_t i = 0; i < count; i++) {
    const prt_array *r = &results[i];
    if (prt_print_array(out, r->dtype, r->rank, r->dims, r->data)) return STATUS_MACHINE;
    putc('\n', out);
  }
  return STATUS_DONE;
}

// A result over an argument's file would be lost work, most often: the order of the arguments is
// easily mistaken.
static bool is_argument(const Call *c, Str output) {
  const char *path = str_copy(c->session->arena, output).data;
  struct stat out, in;
  if (stat(path, &out) != 0 || !S_ISREG(out.st_mode)) return false;
  for (size_t i = 0; i < c->arrays.count; i++) {
    const char *argument = str_copy(c->session->arena, c->arrays.items[i].path).data;
    if (stat(argument, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino) return true;
  }
  return false;
}

// Of a name that promises another format.
static void warn_of_format(const Call *c, Str output) {
  Str name = path_file_name(output);
  bool is_plain = !name.len || !memchr(name.data, '.', name.len);
  if (is_plain || str_ends_with(output, STR(".npy")) || !c->options->warning_on[WARN_HINT]) return;
  diag_warning(c->session, WARN_HINT, (Span){0},
               "'%.*s' becomes an array as np.save writes it (.npy); without -o it is printed",
               STR_FMT(output));
}

static int check_outputs(const Call *c) {
  for (size_t i = 0; i < c->options->outputs.count; i++) {
    Str output = c->options->outputs.items[i];
    if (!is_argument(c, output)) {
      warn_of_format(c, output);
      continue;
    }
    diag_error(c->session, (Span){0}, "'-o %.*s' would overwrite an argument of '%.*s'",
               STR_FMT(output), STR_FMT(c->function));
    return STATUS_USAGE;
  }
  return STATUS_DONE;
}

// Arrays for the parameters of the traced function, in their order.
static int make_up_arrays(Call *c) {
  uint64_t state = c->options->seed;
  for (uint32_t i = 0; i < c->func->param_count; i++) {
    if (c->func->params[i].role == PARAM_OUT) continue;
    const IrType *type = c->func->body->args[i]->type;
    ArrayArg arg = {.text = STR("")};
    prt_status status = made_up_array(type->dtype, type->rank, type->dims, &state, &arg.array);
    if (status) return array_status(c->session, status);
    VEC_PUSH(c->session->arena, &c->arrays, arg);
  }
  return STATUS_DONE;
}

// An expression may be a type, as f32[8,128]: then a parameter has no array. Arrays for it are made
// up where inputs are made up at all, if there are none of the user's among them.
static int complete_arrays(Call *c, bool *made_up) {
  *made_up = false;
  if (c->arrays.count + result_count(c->func) == c->func->param_count) return STATUS_DONE;
  bool checks = c->options->command == COMMAND_CHECK;
  if (checks && !c->arrays.count && !c->options->outputs.count)
    return *made_up = true, make_up_arrays(c);
  diag_error(c->session, (Span){0},
             checks ? "'check' calls '%.*s' on arrays, or, without '-o', on made-up ones of types "
                      "such as f32[8,128]: not on both at once"
                    : "'run' calls '%.*s' on arrays, and a type such as f32[8,128] is none: give a "
                      ".npy file, or an expression such as 'jnp.ones((8,128))'",
             STR_FMT(c->function));
  return STATUS_USAGE;
}

static int run_call(Call *c, bool show) {
  size_t count = result_count(c->func), given = c->options->outputs.count;
  if (show && given && given != count) {
    diag_error(c->session, (Span){0}, "'%.*s' has %zu result%s, and %zu '-o' were given",
               STR_FMT(c->function), count, PLURAL(count), given);
    return STATUS_USAGE;
  }
  prt_array *results = ARENA_ARRAY(c->session->arena, prt_array, count + 1);
  void **buffers = ARENA_ARRAY(c->session->arena, void *, c->func->param_count + 1);
  int status = bind_buffers(c, buffers, results);
  if (!status) status = jit_backend_call(c->jit, c->func->module, c->func, buffers);
  if (!status) status = status_of(c->session);
  if (!status && show)
    status =
        given ? write_results(c, count, results) : show_results(c->session->out, count, results);
  for (size_t i = 0; i < count; i++) prt_array_free(&results[i]);
  return status;
}

static Call call_begin(Session *session, const Options *options, Eval *ev, JitBackend *jit,
                       Str function) {
  Str last = function;
  for (size_t i = 0; i < function.len; i++)
    if (function.data[i] == '.') last = (Str){function.data + i + 1, function.len - i - 1};
  Call c = {.session = session, .options = options, .ev = ev, .jit = jit};
  c.function = last;
  c.path = function;
  buf_init(&c.spec, session->arena);
  if (last.len < function.len) buf_printf(&c.spec, "%.*s = ", STR_FMT(last));
  buf_printf(&c.spec, "%.*s(", STR_FMT(function));
  return c;
}

static void call_end(Call *c) {
  for (size_t i = 0; i < c->arrays.count; i++) prt_array_free(&c->arrays.items[i].array);
  IrFunc *func = ir_func_find(eager_entries(c->ev), name_intern(c->session->interner, c->function));
  if (func) ir_func_remove(func);
}

int call_function(Session *session, const Options *options, Eval *ev, JitBackend *jit, Str function,
                  size_t count, const Str *arguments) {
  if (!is_there(ev, function)) {
    report_missing(session, ev, function);
    return STATUS_FAULT;
  }
  Call c = call_begin(session, options, ev, jit, function);
  int status = eval_protect(ev, read_parameters, &c) ? STATUS_DONE : STATUS_FAULT;
  for (size_t i = 0; i < count && !status; i++) status = add_argument(&c, arguments[i], i == 0);
  buf_c(&c.spec, ")");
  if (!status) status = check_outputs(&c);
  if (!status) status = trace_call(&c);
  bool made_up = false;
  if (!status) status = complete_arrays(&c, &made_up);
  if (!status) status = run_call(&c, !made_up);
  call_end(&c);
  return status;
}

// ---- made-up inputs -----------------------------------------------------------------------------
// Calls one function if it is an entry point. *called says whether it is.
static int call_entry(Session *session, const Options *options, Eval *ev, JitBackend *jit,
                      Name name, Value callee, bool *called) {
  Call c = call_begin(session, options, ev, jit, name_str(name));
  int status = entry_trace_function(ev, name, callee, called) ? STATUS_DONE : STATUS_FAULT;
  if (*called && !status) {
    session_progress(session, PROGRESS_CALL, 0, 0, name_str(name));
    c.func = ir_func_find(eager_entries(ev), name);
    if (options->support)
      status = jit_backend_judge(jit, c.func->module);
    else if (!(status = make_up_arrays(&c)))
      status = run_call(&c, false);
  }
  call_end(&c);
  return status;
}

int call_entries(Session *session, const Options *options, Eval *ev, JitBackend *jit,
                 Str function) {
  DictEntry *item;
  int worst = STATUS_DONE;
  bool any = false;
  Map *seen = map_new(session->arena);
  for (size_t it = 0; dict_next(ev->main->dict, &it, &item);) {
    Str name;
    if (item->value.kind != V_OBJECT || !value_as_str(item->key, &name) ||
        map_has(seen, item->value.o))
      continue;
    if (function.len && !str_equal(name, function)) continue;
    map_set(seen, item->value.o, item->value.o);
    bool called;
    int status = call_entry(session, options, ev, jit, name_intern(session->interner, name),
                            item->value, &called);
    any |= called;
    if (status > worst) worst = status;
  }
  if (any || !function.len || worst) return worst;
  if (!is_there(ev, function)) {
    report_missing(session, ev, function);
    return STATUS_FAULT;
  }
  diag_error(session, (Span){0},
             "'%.*s' is no function with annotated array parameters; give its arguments: .npy "
             "files, types of made-up arrays such as 'f32[8,128]', or expressions",
             STR_FMT(function));
  return STATUS_FAULT;
}
