// SPDX-License-Identifier: Apache-2.0
// From a source to its outputs. compile_pk is the pipeline, top to bottom; the rest is the kinds of
// sources.
#include "base/buf.h"
#include "driver/output/header.h"
#include "driver/output/output.h"
#include "driver/output/path.h"
#include "driver/progress/progress.h"
#include "driver/run/jit_backend.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "cache.h"
#include "compile.h"
#include "entry_files.h"
#include "source_open.h"
#include "stage_options.h"
#include <string.h>
#include "ir/core/family.h"
#include "ir/remarks/remark.h"
#include "jax/jax.h"
#include "jax/import/jaxpr_eval.h"
#include "jax/program/eager.h"
#include "plan/plan_module.h"
#include "numpy/numpy.h"
#include "jax/program/entry.h"
#include "python/eval.h"

// ---- names of outputs ---------------------------------------------------------------------------
static Str output_path(Session *session, const Options *o, Str source, const char *ending) {
  if (o->outputs.count) return o->outputs.items[0];
  return ending && !o->to_stdout ? path_with_ending(session->arena, source, ending) : STR("-");
}

// ---- one source ---------------------------------------------------------------------------------
static Str ir_text(Session *session, const IrModule *module) {
  Buf buf;
  buf_init(&buf, session->arena);
  ir_print(module, false, &buf);
  return buf_view(&buf);
}

static int made_text(Session *session, Made *made, Str text) {
  made->text = text;
  return status_of(session);
}

static int made_plan(Session *session, const CodegenOptions *codegen, const IrModule *ir,
                     Made *made) {
  ModulePlan plans;
  if (!codegen_plan(session, ir, codegen, session->arena, &plans)) return STATUS_FAULT;
  Buf buf;
  buf_init(&buf, session->arena);
  plan_print(session->arena, &plans, &buf);
  return made_text(session, made, buf_view(&buf));
}

static void keep_entries(Session *session, const IrModule *ir, Made *made) {
  for (const IrFunc *func = ir->first; func; func = func->next)
    if (ir_family_is_first(func))
      VEC_PUSH(session->arena, &made->entries, ((MadeEntry){ir_family_name(func), func->span}));
}

static void keep_costs(Session *session, const IrModule *ir, Made *made) {
  for (const IrFunc *func = ir->first; func; func = func->next)
    if (ir_family_is_first(func)) VEC_PUSH(session->arena, &made->costs, cost_of(func));
}

// What code generation makes for an output, and the ending of its default name.
typedef struct CodeKind {
  const char *name, *ending;
  EmitKind emit;
} CodeKind;
static const CodeKind code_kinds[] = {[OUTPUT_OBJECT] = {"object", ".o", EMIT_OBJECT},
                                      [OUTPUT_SHARED] = {"object", ".so", EMIT_OBJECT},
                                      [OUTPUT_ASM] = {"assembly", ".s", EMIT_ASM},
                                      [OUTPUT_LLVM] = {"LLVM", NULL, EMIT_LLVM},
                                      [OUTPUT_CODE] = {"code", NULL, EMIT_OBJECT}};

static bool make_code(Session *session, const Options *o, const CodegenOptions *codegen,
                      IrModule *ir, Str *out) {
  if (o->kind == OUTPUT_CODE)
    return codegen_code(session, ir, codegen, LONE_SUFFIX, session->arena, out);
  LlvmModule *llvm = codegen_module(session, ir, codegen);
  bool good = llvm && codegen_emit(session, llvm, code_kinds[o->kind].emit, session->arena, out);
  codegen_free(llvm);
  return good;
}

// Through the passes, unless a cache has it.
static int made_code(Session *session, const Options *o, IrModule *ir, Made *made) {
  const CodeKind *kind = &code_kinds[o->kind];
  PassOptions passes = pass_options(session, o);
  CodegenOptions codegen = codegen_options(o);
  CacheKey key = {0};
  Cache *cache = cache_open(session, o);
  keep_entries(session, ir, made);
  if (o->kind == OUTPUT_CODE) keep_costs(session, ir, made);
  made->ending = kind->ending;
  made->codegen = codegen;
  if (cache) {
    if (!cache_key(cache, o, ir, &codegen, str_from_c(kind->name), session->arena, &key))
      return STATUS_FAULT;
    if (cache_find(cache, &key, session->arena, &made->text)) return status_of(session);
  }
  size_t reported = session->error_count + session->warning_count;
  if (!passes_run(session, ir, &passes) || !make_code(session, o, &codegen, ir, &made->text))
    return STATUS_FAULT;
  // What is reported is reported each time.
  if (cache && session->error_count + session->warning_count == reported)
    cache_keep(cache, &key, made->text);
  return status_of(session);
}

// What lies behind the IR, for every kind of source.
static int emit_ir(Session *session, const Options *o, IrModule *ir, Str source, Made *made) {
  PassOptions passes = pass_options(session, o);
  bool is_linked = !output_is_text(o->kind) && o->kind != OUTPUT_CODE;
  if ((o->header.len || is_linked) && !c_names_fix(session, ir)) return STATUS_FAULT;
  lower_precision(o, ir);
  if (o->header.len) made->header = header_text(session, ir, source, o->header);
  if (o->kind == OUTPUT_TRACE) return made_text(session, made, ir_text(session, ir));
  bool is_text = passes.stop_after != PASS_COUNT || o->kind == OUTPUT_IR;
  if (!is_text && o->kind != OUTPUT_PLAN) return made_code(session, o, ir, made);
  if (!passes_run(session, ir, &passes)) return STATUS_FAULT;
  if (is_text) return made_text(session, made, ir_text(session, ir));
  CodegenOptions codegen = codegen_options(o);
  return made_plan(session, &codegen, ir, made);
}

static int finish_ir(Session *session, const Options *o, IrModule *ir, Str source, Made *made) {
  report_begin(session, o);
  int status = emit_ir(session, o, ir, source, made);
  report_end(session, o);
  return status ? status : status_of(session);
}

static int trace_and_compile(Session *session, const Options *o, Eval *ev, Module *module,
                             Made *made) {
  session_progress(session, PROGRESS_EVALUATING, 0, 0, module->file->path);
  if (!eval_main(ev, module)) {
    if (ev->has_exited)
      diag_error(session, (Span){module->file->id, 0, 0},
                 "the module ended itself with exit status %d", ev->exit_status);
    return STATUS_FAULT;
  }
  EntryRequest *requests;
  size_t count;
  if (!entry_files_requests(session, o, module->file->path, &requests, &count)) return STATUS_FAULT;
  if (!entry_trace(ev, requests, count, o->kind != OUTPUT_CODE)) return STATUS_FAULT;
  return finish_ir(session, o, eager_entries(ev), module->file->path, made);
}

// A file of another language is read all the same: its ending says so where it is no Python.
static void help_language(Session *session, Str path) {
  Diag *diag = session->last_diag;
  Str name = path_file_name(path);
  if (!diag || diag->help.len || !memchr(name.data, '.', name.len) || source_has_ending(name))
    return;
  diag_help(diag, STR("sources are Python that uses JAX and Pallas, whatever their ending"));
}

Module *source_parse(Session *session, SourceFile *file, const JaxprProgram **jaxpr) {
  *jaxpr = NULL;
  if (!str_ends_with(file->path, STR(".jaxpr"))) {
    Module *module = syntax_parse(session, file);
    if (session->error_count) help_language(session, file->path);
    return module;
  }
  *jaxpr = jaxpr_read(session, file);
  if (!*jaxpr) return NULL;
  Str text = jaxpr_module_text(session->arena, *jaxpr);
  return syntax_parse(session, source_add(session, file->path, text, true));
}

// The pipeline: source, tokens, tree, trace, IR, passes, code.
static int compile_pk(Session *session, const Options *o, SourceFile *file, Made *made) {
  Buf buf;
  buf_init(&buf, session->arena);
  if (o->kind == OUTPUT_TOKENS) {
    syntax_print_tokens(session, file, &buf);
    return made_text(session, made, buf_view(&buf));
  }
  const JaxprProgram *jaxpr;
  Module *module = source_parse(session, file, &jaxpr);
  if (session->error_count) return STATUS_FAULT;
  if (o->kind == OUTPUT_AST) {
    ast_print(module, &buf);
    return made_text(session, made, buf_view(&buf));
  }
  EvalOptions options = eval_options(o, false);
  options.define_is_others = entry_files_defines(session, o, module->file->path);
  Eval *ev = eval_new(session, &options);
  numpy_init(ev);
  jax_init(ev);
  if (jaxpr) jaxpr_define(ev, jaxpr);
  JitBackend *jit = jit_backend_new(session, o);
  eager_set_backend(ev, jit_backend_run(jit));
  int status = trace_and_compile(session, o, ev, module, made), ran = jit_backend_status(jit);
  if (ran > status) status = ran;
  jit_backend_free(jit);
  return status;
}

// Kernel IR as text, through the passes that are left, or through one.
static int compile_ir(Session *session, const Options *o, SourceFile *file, Made *made) {
  IrModule *ir = ir_read(session, file);
  if (!ir) return STATUS_FAULT;
  if (!ir->tpu) ir->tpu = name_intern(session->interner, o->tpu);
  if (!ir->devices) ir->devices = o->devices ? o->devices : 1;
  if (o->run_pass == PASS_COUNT) return finish_ir(session, o, ir, file->path, made);
  PassOptions passes = pass_options(session, o);
  if (!pass_run_one(session, ir, &passes, o->run_pass)) return STATUS_FAULT;
  return made_text(session, made, ir_text(session, ir));
}

// ---- kinds of sources ---------------------------------------------------------------------------
typedef struct KindInfo {
  const char *name, *endings;
  int (*compile)(Session *session, const Options *o, SourceFile *file, Made *made);
} KindInfo;

static const KindInfo kinds[SOURCE_KIND_COUNT] = {
#define SOURCE_KIND(id, name, endings, text) {#name, endings, compile_##name},
#include "source_kind.def"
};

// ".pk .py": whether the path has one of them.
static bool has_ending(Str path, const char *endings) {
  while (*endings) {
    size_t length = strcspn(endings, " ");
    if (str_ends_with(path, (Str){endings, length})) return true;
    endings += length + strspn(endings + length, " ");
  }
  return false;
}

SourceKind source_kind(const Options *o, Str path) {
  if (o->from_ir.len) return SOURCE_IR;
  if (o->source_kind != SOURCE_KIND_COUNT) return o->source_kind;
  for (int i = 0; i < SOURCE_KIND_COUNT; i++)
    if (has_ending(path, kinds[i].endings)) return (SourceKind)i;
  return (SourceKind)0;
}

static int compile_source(Session *session, const Options *o, Str path, Made *made) {
  session_progress(session, "reading", 0, 0, path);
  const KindInfo *kind = &kinds[source_kind(o, path)];
  if (kind->compile != compile_pk && (o->kind == OUTPUT_TOKENS || o->kind == OUTPUT_AST)) {
    diag_error(session, (Span){0}, "'%.*s' is no Python: %s has no tokens and no tree",
               STR_FMT(path), kind->name);
    return STATUS_USAGE;
  }
  SourceFile *file = source_open(session, path);
  return file ? kind->compile(session, o, file, made) : STATUS_MACHINE;
}

size_t input_count(const Options *o) { return o->from_ir.len ? 1 : o->inputs.count; }

Str input_path(const Options *o, size_t which) {
  return o->from_ir.len ? o->from_ir : o->inputs.items[which];
}

int compile_text(Session *session, const Options *o, size_t which, Made *made) {
  made->text = STR("");
  int status = compile_source(session, o, input_path(o, which), made);
  return status == STATUS_DONE ? status_of(session) : status;
}

// Whether an output is written there, among which what the source prints would be lost.
static bool takes_stdout(const Options *o) {
  bool is_text = o->kind != OUTPUT_OBJECT && o->kind != OUTPUT_CODE;
  if (path_is_stdout(o->header) || path_is_stdout(o->depfile_path)) return true;
  return o->outputs.count ? path_is_stdout(o->outputs.items[0]) : o->to_stdout || is_text;
}

int compile_input(Session *session, const Options *o, size_t which, Made *made) {
  FILE *out = session->out;
  if (takes_stdout(o) && !session->piped) session->out = session->diag_out;
  int status = compile_text(session, o, which, made);
  session->out = out;
  if (status || o->kind == OUTPUT_CODE) return status;
  Outputs *outputs = outputs_new(session);
  Str output = output_path(session, o, input_path(o, which), made->ending);
  outputs_add(outputs, output, made->text);
  if (o->header.len) outputs_add(outputs, o->header, made->header);
  // What goes to standard output has no name to take an ending from.
  bool is_piped = path_is_stdout(output);
  Str named = is_piped ? path_with_ending(session->arena, input_path(o, which), ".o") : output;
  depfile_add(session, o, named, outputs);
  return outputs_write(outputs);
}
