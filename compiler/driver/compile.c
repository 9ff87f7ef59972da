// SPDX-License-Identifier: Apache-2.0
// From a source to its outputs. compile_source is the pipeline, top to bottom; the rest is options
// for its parts.
#include "driver.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "jax/program/eager.h"

// ---- options for the parts ----------------------------------------------------------------------
EvalOptions eval_options(const Options *o, bool run) {
  return (EvalOptions){
      .include_dirs = o->include_dirs.items,
      .include_count = o->include_dirs.count,
      .define_names = o->define_names.items,
      .define_values = o->define_values.items,
      .define_count = o->define_names.count,
      .max_steps = o->max_steps,
      .max_depth = o->max_depth,
      .run = run,
      .tpu = o->tpu,
      .devices = o->devices,
  };
}

PassOptions pass_options(const Options *o) {
  PassOptions options = {.opt_level = o->opt_level,
                         .check = o->check,
                         .inputs_written = true,
                         .stop_after = o->stop_after,
                         .print_to = stderr,
                         .strict_tpu = o->strict_tpu};
  memcpy(options.print_after, o->print_after, sizeof options.print_after);
  if (o->kind == OUTPUT_SCHEDULE) {
    options.schedule = true;
    if (options.stop_after == PASS_COUNT) options.stop_after = PASS_CLEANUP;
  }
  return options;
}

CodegenOptions codegen_options(const Options *o) {
  return (CodegenOptions){.opt_level = o->opt_level,
                          .target_cpu = o->target_cpu,
                          .debug_info = o->debug_info,
                          .check = o->check,
                          .tsan = o->tsan};
}

static void round_inputs(IrOp *op, void *unused) {
  (void)unused;
  if (op->code != OP_DOT || op->operands[0]->type->dtype != DT_F32 ||
      op->operands[1]->type->dtype != DT_F32)
    return;
  if (str_equal(ir_attr_str(op, ATTR_PRECISION), STR("default")))
    ir_set_str(op->parent->func->module, op, ATTR_PRECISION, STR("bf16_bf16_f32"));
}

void lower_precision(const Options *options, IrModule *module) {
  if (!options->matmul_tpu) return;
  for (IrFunc *func = module->first; func; func = func->next)
    ir_walk(func->body, round_inputs, NULL);
}

int status_of(const Session *session) { return session->error_count ? STATUS_FAULT : STATUS_DONE; }

// ---- names of outputs ---------------------------------------------------------------------------
// The source's name without folder and ending, with another ending.
static Str with_ending(Arena *arena, Str source, const char *ending) {
  size_t begin = source.len, end = source.len;
  while (begin > 0 && source.data[begin - 1] != '/') begin--;
  for (size_t i = source.len; i-- > begin + 1;)
    if (source.data[i] == '.') {
      end = i;
      break;
    }
  return str_format(arena, "%.*s%s", (int)(end - begin), source.data + begin, ending);
}

static Str output_path(Session *session, const Options *o, Str source, const char *ending) {
  if (o->outputs.count) return o->outputs.items[0];
  return ending ? with_ending(session->arena, source, ending) : STR("-");
}

// x.o -> x.d
static Str depfile_path(Session *session, const Options *o, Str output) {
  if (o->depfile_path.len) return o->depfile_path;
  size_t end = output.len;
  for (size_t i = output.len; i-- > 0 && output.data[i] != '/';)
    if (output.data[i] == '.') {
      end = i;
      break;
    }
  return str_format(session->arena, "%.*s.d", (int)end, output.data);
}

// ---- one source ---------------------------------------------------------------------------------
// What comes out of a source: a text, and for objects what the header is made from.
typedef struct Made {
  Str text;
  const char *ending; // of the default output's name; NULL: standard output
  Str header;
} Made;

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

// What lies behind the IR. Also where --from-ir goes on.
static int compile_ir(Session *session, const Options *o, IrModule *ir, Str source, Made *made) {
  static const EmitKind kinds[] = {[OUTPUT_OBJECT] = EMIT_OBJECT,
                                   [OUTPUT_SHARED] = EMIT_OBJECT,
                                   [OUTPUT_ASM] = EMIT_ASM,
                                   [OUTPUT_LLVM] = EMIT_LLVM};
  static const char *const endings[] = {
      [OUTPUT_OBJECT] = ".o", [OUTPUT_SHARED] = ".so", [OUTPUT_ASM] = ".s", [OUTPUT_LLVM] = NULL};
  PassOptions passes = pass_options(o);
  if (o->header.len || o->kind < OUTPUT_TOKENS)
    if (!c_names_fix(session, ir)) return STATUS_FAULT;
  lower_precision(o, ir);
  if (o->header.len) made->header = header_text(session, ir, source, o->header);
  if (o->kind == OUTPUT_TRACE) return made_text(session, made, ir_text(session, ir));
  if (!passes_run(session, ir, &passes)) return STATUS_FAULT;
  if (passes.stop_after != PASS_COUNT || o->kind == OUTPUT_IR)
    return made_text(session, made, ir_text(session, ir));
  CodegenOptions codegen = codegen_options(o);
  LlvmModule *llvm = codegen_module(session, ir, &codegen);
  if (!llvm) return STATUS_FAULT;
  made->ending =
      o->kind == OUTPUT_ASM && !o->outputs.count && o->kind_given ? ".s" : endings[o->kind];
  bool good = codegen_emit(session, llvm, kinds[o->kind], session->arena, &made->text);
  codegen_free(llvm);
  return good ? status_of(session) : STATUS_FAULT;
}

static EntryRequest *entry_requests(Session *session, const Options *o) {
  EntryRequest *requests = ARENA_ARRAY(session->arena, EntryRequest, o->entries.count + 1);
  for (size_t i = 0; i < o->entries.count; i++) requests[i].text = o->entries.items[i];
  return requests;
}

static int trace_and_compile(Session *session, const Options *o, Eval *ev, Module *module,
                             Made *made) {
  if (!eval_main(ev, module)) {
    if (ev->has_exited)
      diag_error(session, (Span){module->file->id, 0, 0},
                 "the module ended itself with exit status %d", ev->exit_status);
    return STATUS_FAULT;
  }
  if (!entry_trace(ev, entry_requests(session, o), o->entries.count)) return STATUS_FAULT;
  return compile_ir(session, o, run_entries(ev), module->file->path, made);
}

// The pipeline: source, tokens, tree, trace, IR, passes, code.
static int compile_source(Session *session, const Options *o, Str path, Made *made) {
  SourceFile *file = source_read(session, path, (Span){0});
  if (!file) return STATUS_MACHINE;
  Buf buf;
  buf_init(&buf, session->arena);
  if (o->kind == OUTPUT_TOKENS) {
    syntax_print_tokens(session, file, &buf);
    return made_text(session, made, buf_view(&buf));
  }
  Module *module = syntax_parse(session, file);
  if (session->error_count) return STATUS_FAULT;
  if (o->kind == OUTPUT_AST) {
    ast_print(module, &buf);
    return made_text(session, made, buf_view(&buf));
  }
  EvalOptions options = eval_options(o, false);
  Eval *ev = eval_new(session, &options);
  JitBackend *jit = jit_backend_new(session, o);
  run_set_backend(ev, jit_backend_run(jit));
  int status = trace_and_compile(session, o, ev, module, made), ran = jit_backend_status(jit);
  if (ran > status) status = ran;
  jit_backend_free(jit);
  return status;
}

// --from-ir: the IR of a text file, through the passes that are left, or through one.
static int compile_from_ir(Session *session, const Options *o, Made *made) {
  SourceFile *file = source_read(session, o->from_ir, (Span){0});
  if (!file) return STATUS_MACHINE;
  IrModule *ir = ir_read(session, file);
  if (!ir) return STATUS_FAULT;
  if (!ir->tpu) ir->tpu = name_intern(session->interner, o->tpu);
  if (!ir->devices) ir->devices = o->devices;
  if (o->run_pass == PASS_COUNT) return compile_ir(session, o, ir, file->path, made);
  PassOptions passes = pass_options(o);
  if (!pass_run_one(session, ir, &passes, o->run_pass)) return STATUS_FAULT;
  return made_text(session, made, ir_text(session, ir));
}

static void add_outputs(Session *session, const Options *o, Str source, const Made *made,
                        Outputs *outputs) {
  Str output = output_path(session, o, source, made->ending);
  if (o->kind != OUTPUT_SHARED) outputs_add(outputs, output, made->text);
  if (o->header.len) outputs_add(outputs, o->header, made->header);
  if (!o->depfile) return;
  Str target = o->depfile_target.len ? o->depfile_target : output;
  outputs_add(outputs, depfile_path(session, o, output),
              depfile_text(session, target, o->depfile_phony));
}

int compile_input(Session *session, const Options *o, size_t which) {
  Made made = {.text = STR("")};
  Str source = o->from_ir.len ? o->from_ir : o->inputs.items[which];
  int status = o->from_ir.len ? compile_from_ir(session, o, &made)
                              : compile_source(session, o, source, &made);
  if (status == STATUS_DONE) status = status_of(session);
  if (status) return status;
  Outputs *outputs = outputs_new(session);
  add_outputs(session, o, source, &made, outputs);
  return outputs_write(outputs);
}

// ---- shared libraries ---------------------------------------------------------------------------
// Puts an object into a file in the folder for temporary files. "" after a diagnostic.
static Str temporary_object(Session *session, Str text) {
  const char *folder = getenv("TMPDIR");
  Str path = str_format(session->arena, "%s/pallasc-XXXXXX.o", folder && *folder ? folder : "/tmp");
  int fd = mkstemps((char *)path.data, 2);
  size_t done = 0;
  while (fd >= 0 && done < text.len) {
    ssize_t n = write(fd, text.data + done, text.len - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    done += (size_t)n;
  }
  if (fd >= 0 && done == text.len && close(fd) == 0) return path;
  diag_error(session, (Span){0}, "cannot write '%.*s': %s", STR_FMT(path), strerror(errno));
  if (fd >= 0) unlink(path.data);
  return STR("");
}

typedef struct SharedJob {
  const Options *options;
  Str *objects;
  size_t count;
  Outputs *outputs;
  Str output;
} SharedJob;

static int shared_objects(Session *session, SharedJob *job) {
  const Options *o = job->options;
  Str first = o->from_ir.len ? o->from_ir : o->inputs.items[0];
  size_t count = o->from_ir.len ? 1 : o->inputs.count;
  job->output = o->outputs.count ? o->outputs.items[0]
                                 : str_format(session->arena, "lib%.*s",
                                              STR_FMT(with_ending(session->arena, first, ".so")));
  for (size_t i = 0; i < count; i++) {
    Made made = {.text = STR("")};
    int status = o->from_ir.len ? compile_from_ir(session, o, &made)
                                : compile_source(session, o, o->inputs.items[i], &made);
    if (status == STATUS_DONE) status = status_of(session);
    if (status) return status;
    Str object = temporary_object(session, made.text);
    if (!object.len) return STATUS_MACHINE;
    job->objects[job->count++] = object;
    if (i == 0 && o->header.len) outputs_add(job->outputs, o->header, made.header);
  }
  if (o->depfile) {
    Str target = o->depfile_target.len ? o->depfile_target : job->output;
    outputs_add(job->outputs, depfile_path(session, o, job->output),
                depfile_text(session, target, o->depfile_phony));
  }
  return STATUS_DONE;
}

// libadd.so of a path.
static Str file_name(Str path) {
  size_t begin = path.len;
  while (begin > 0 && path.data[begin - 1] != '/') begin--;
  return (Str){path.data + begin, path.len - begin};
}

static int shared_body(Session *session, void *data) {
  SharedJob *job = data;
  int status = shared_objects(session, job);
  if (status) return status;
  Str temporary = outputs_reserve(job->outputs, job->output);
  if (!temporary.len) return STATUS_MACHINE;
  status = link_shared(session, job->count, job->objects, temporary, file_name(job->output));
  if (status) return status;
  return outputs_write(job->outputs);
}

int compile_shared(Session *session, const Options *o) {
  SharedJob job = {.options = o,
                   .objects = ARENA_ARRAY(session->arena, Str, o->inputs.count + 1),
                   .outputs = outputs_new(session)};
  int status = session_run(session, shared_body,
                           &job); // so that the temporary files go even if memory runs out
  for (size_t i = 0; i < job.count; i++) unlink(job.objects[i].data);
  if (status) outputs_drop(job.outputs);
  return status;
}
