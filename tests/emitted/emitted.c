// SPDX-License-Identifier: Apache-2.0
// What the compiler makes of kernels, in digests and counts:   emitted <LIST
//
// A line of LIST is a kernel: `entries`, `each`, `program` or `ir`, the source, and options of the
// command line, between tabs. Entry points are traced, and compiled together or each alone, as is
// every function of IR; of a program, its own statements are what is compiled, and their results
// are zeros, as nothing is run.
// Every module goes through the passes once for a way of compiling, and through the code generator
// for several CPUs, not through LLVM.
//
// Out: a line with the source, or SOURCE:FUNCTION, then a row a stage (count.h). `trace` and
// `header` are of what was recorded, `ir` of what the passes made, a CPU's row has the digests of
// the plans and of the LLVM modules, `said` is all that went to standard output and standard error,
// `report` what --report would give. Nothing depends on the machine: the environment is not read,
// CPUs are named.
#include <llvm-c/BitWriter.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "codegen/codegen.h"
#include "codegen/module/object_file.h"
#include "count.h"
#include "driver/compile/compile.h"
#include "driver/compile/stage_options.h"
#include "driver/output/header.h"
#include "ir/remarks/remark.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "jax/jax.h"
#include "jax/program/eager.h"
#include "numpy/numpy.h"
#include "passes/pass.h"
#include "plan/plan_module.h"
#include "python/eval.h"

// ---- the ways -----------------------------------------------------------------------------------
typedef struct Way {
  const char *name; // of its passes' row
  int opt_level;
  bool check;
} Way;
static const Way ways[] = {{"ir", 3, false}, {"checked", 1, true}, {"unoptimised", 0, false}};
enum { WAYS = COUNT_OF(ways) };

typedef struct Code {
  const char *name; // of its row
  int way;          // of its passes
  const char *cpu;
  bool eager, debug_info;
} Code;
static const Code codes[] = {
    {"x86-64-v3", 0, "x86-64-v3", false, false},
    {"znver4", 0, "znver4", false, false},
    {"sapphirerapids", 0, "sapphirerapids", false, false},
    {"threads", 0, "sapphirerapids", true, false}, // what pays for large arrays is done for all
    {"check", 1, "x86-64-v3", false, false},
    {"O0", 2, "x86-64-v3", false, true},
};
enum { CODES = COUNT_OF(codes) };

typedef enum Kind { KIND_ENTRIES, KIND_EACH, KIND_PROGRAM, KIND_IR, KIND_COUNT } Kind;
static const char *const kind_names[KIND_COUNT] = {"entries", "each", "program", "ir"};

typedef struct Kernel {
  char *source;
  Kind kind;
  size_t count;
  const char **args;
  Session *session;
  Options options;
  FILE *said;
  char *said_text;
  size_t said_size;
  Row trace, header, passes[WAYS], code[CODES], report;
} Kernel;

// ---- one module ---------------------------------------------------------------------------------
static Str text_of(Arena *arena, const IrModule *module) {
  Buf buf;
  buf_init(&buf, arena);
  ir_print(module, false, &buf);
  return buf_view(&buf);
}

static CodegenOptions code_options(const Code *code) {
  const Way *way = &ways[code->way];
  return (CodegenOptions){.opt_level = way->opt_level,
                          .target_cpu = str_from_c(code->cpu),
                          .debug_info = code->debug_info,
                          .check = way->check,
                          .eager = code->eager};
}

static void digest_bitcode(Row *row, LLVMModuleRef module) {
  LLVMMemoryBufferRef bits = LLVMWriteBitcodeToMemoryBuffer(module);
  row_digest(row, 1, (Str){LLVMGetBufferStart(bits), LLVMGetBufferSize(bits)});
  LLVMDisposeMemoryBuffer(bits);
}

// Whatever this folder is called, which messages and debuggers name, the digest is the same.
static void digest_text(Row *row, int which, const char *text) {
  char folder[4096];
  const char *found;
  if (!getcwd(folder, sizeof folder)) BUG("no current folder");
  for (; (found = strstr(text, folder)); text = found + strlen(folder))
    row_digest(row, which, (Str){text, (size_t)(found - text)});
  row_digest(row, which, str_from_c(text));
}

static void digest_llvm_text(Row *row, LLVMModuleRef module) {
  char *text = LLVMPrintModuleToString(module);
  digest_text(row, 1, text);
  LLVMDisposeMessage(text);
}

static void generate(Kernel *k, IrModule *module, const Code *code, Row *row) {
  CodegenOptions options = code_options(code);
  Arena *arena = arena_new_child(k->session->arena);
  ModulePlan plans;
  Buf buf;
  buf_init(&buf, arena);
  if (!codegen_plan(k->session, module, &options, arena, &plans)) return;
  plan_print(arena, &plans, &buf);
  row_digest(row, 0, buf_view(&buf));
  row_count_text(row, "clusters", buf_view(&buf), "  cluster ");
  row_count_text(row, "walks", buf_view(&buf), " walk ");
  LlvmModule *llvm = codegen_module(k->session, module, &options);
  if (llvm) {
    if (code->debug_info)
      digest_llvm_text(row, llvm->module);
    else
      digest_bitcode(row, llvm->module);
    row_count_llvm(row, llvm->module);
  }
  codegen_free(llvm);
  arena_free(arena);
}

static bool run_passes(Kernel *k, IrModule *module, int which) {
  const Way *way = &ways[which];
  PassOptions passes = pass_options(k->session, &k->options);
  passes.opt_level = way->opt_level;
  passes.check = way->check;
  passes.stop_after = PASS_COUNT;
  if (!passes_run(k->session, module, &passes)) return false;
  row_digest(&k->passes[which], 0, text_of(k->session->arena, module));
  row_count_ops(&k->passes[which], module, which > 0);
  return true;
}

// What is reported of one way, as far as the first CPU's code.
static void compile_in_way(Kernel *k, IrModule *module, int way) {
  Session *session = k->session;
  bool is_reported = way == 0;
  if (is_reported) session->remarks = remark_new(session);
  bool good = run_passes(k, module, way);
  for (int i = 0; i < CODES; i++) {
    if (codes[i].way != way) continue;
    if (good) generate(k, module, &codes[i], &k->code[i]);
    if (!is_reported) continue;
    is_reported = false;
    fflush(k->said);
    size_t before = k->said_size;
    remark_report(session);
    fflush(k->said);
    Str report = {k->said_text + before, k->said_size - before};
    row_digest(&k->report, 0, report);
    row_count_text(&k->report, "lines", report, "\n");
    session->remarks = NULL;
  }
}

static void compile_module(Kernel *k, IrModule *module) {
  Session *session = k->session;
  Str text = text_of(session->arena, module);
  row_digest(&k->trace, 0, text);
  row_count_ops(&k->trace, module, false);
  lower_precision(&k->options, module);
  for (int way = WAYS - 1; way > 0; way--) {
    IrModule *copy = ir_read(session, source_add(session, STR("<copy>"), text, true));
    if (copy) compile_in_way(k, copy, way);
  }
  compile_in_way(k, module, 0); // which has its places in the source
}

// ---- one kernel ---------------------------------------------------------------------------------
// Instead of a run: results are zeros.
static int compile_statements(void *data, IrModule *module, IrFunc *func, Str text UNUSED,
                              void *const *buffers) {
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrType *type = func->body->args[i]->type;
    if (func->params[i].role == PARAM_OUT)
      memset(buffers[i], 0, (size_t)ir_type_count(type) * (size_t)dtype_size(type->dtype));
  }
  compile_module(data, module);
  return STATUS_DONE;
}

static void rows_begin(Kernel *k) {
  Row empty = {.arena = k->session->arena};
  k->trace = k->header = k->report = empty;
  for (int i = 0; i < WAYS; i++) k->passes[i] = empty;
  for (int i = 0; i < CODES; i++) k->code[i] = empty;
}

static void rows_print(Kernel *k, Str name) {
  printf("%.*s\n", STR_FMT(name));
  if (k->header.digests[0]) row_print(&k->header, NULL, "header", stdout);
  row_print(&k->trace, NULL, "trace", stdout);
  row_print(&k->report, NULL, "report", stdout);
  for (int i = 0; i < WAYS; i++) row_print(&k->passes[i], NULL, ways[i].name, stdout);
  for (int i = 0; i < CODES; i++)
    row_print(&k->code[i], i ? &k->code[0] : NULL, codes[i].name, stdout);
}

// Addresses are others each time.
static void print_said(Kernel *k) {
  Row said = {.arena = k->session->arena};
  diag_flush(k->session);
  fflush(k->said);
  for (char *at = k->said_text; (at = strstr(at, "0x"));)
    for (at += 2; isxdigit((unsigned char)*at); at++) *at = '0';
  digest_text(&said, 0, k->said_text);
  row_count(&said, STR("errors"), k->session->error_count);
  row_count(&said, STR("warnings"), k->session->warning_count);
  row_print(&said, NULL, "said", stdout);
}

static void compile_entries(Kernel *k, IrModule *entries) {
  Str source = str_from_c(k->source);
  row_digest(&k->header, 0, header_text(k->session, entries, source, STR("kernel.h")));
  compile_module(k, entries);
}

// Every function as a module.
static void compile_each(Kernel *k, const IrModule *entries) {
  Arena *arena = k->session->arena;
  Str text = text_of(arena, entries);
  for (const IrFunc *func = entries->first; func; func = func->next) {
    IrModule *alone = ir_read(k->session, source_add(k->session, STR("<each>"), text, true));
    if (!alone) return;
    for (IrFunc *other = alone->first, *next; other; other = next) {
      next = other->next;
      if (other->name != func->name) ir_func_remove(other);
    }
    rows_begin(k);
    compile_module(k, alone);
    rows_print(k, str_format(arena, "%s:%s", k->source, func->name->text));
  }
}

static void flush_pending(Eval *ev, void *unused) {
  (void)unused;
  eager_flush(ev);
}

static void evaluate(Kernel *k, Module *module) {
  Session *session = k->session;
  EvalOptions options = eval_options(&k->options, k->kind == KIND_PROGRAM);
  Eval *ev = eval_new(session, &options);
  numpy_init(ev);
  jax_init(ev);
  eager_set_backend(ev, (EagerBackend){.run = compile_statements, .data = k});
  if (!eval_main(ev, module)) return;
  if (k->kind == KIND_PROGRAM)
    eval_protect(ev, flush_pending, NULL);
  else if (entry_trace(ev, NULL, 0, true) && k->kind == KIND_EACH)
    compile_each(k, eager_entries(ev));
  else if (!session->error_count)
    compile_entries(k, eager_entries(ev));
}

static void parse_program(Kernel *k, SourceFile *file) {
  const JaxprProgram *jaxpr;
  Module *module = source_parse(k->session, file, &jaxpr);
  if (module && !k->session->error_count) evaluate(k, module);
}

static void read_module(Kernel *k, SourceFile *file) {
  const IrModule *module = ir_read(k->session, file);
  if (module) compile_each(k, module);
}

static int work(Session *session, void *data) {
  Kernel *k = data;
  int status;
  k->session = session;
  session->out = session->diag_out = k->said;
  rows_begin(k);
  if (options_parse(session, k->count, k->args, &k->options, &status)) {
    k->options.max_steps = 1 << 24; // the results that a program waits for never come
    k->options.debug_info = true;   // places are kept
    k->options.site_packages = STR("");
    SourceFile *file = source_read(session, str_from_c(k->source), (Span){0});
    if (file && k->kind == KIND_IR)
      read_module(k, file);
    else if (file)
      parse_program(k, file);
  }
  if (k->kind == KIND_EACH || k->kind == KIND_IR) // what was said of all
    printf("%s\n", k->source);
  else
    rows_print(k, str_from_c(k->source));
  print_said(k);
  fflush(stdout);
  return 0;
}

// ---- the list -----------------------------------------------------------------------------------
static bool compile_kernel(char *line) {
  enum { MOST = 64 };
  const char *args[MOST] = {"run"};
  size_t count = 1;
  char *rest = NULL, *word = strtok_r(line, "\t\n", &rest), *source = strtok_r(NULL, "\t\n", &rest);
  Kind kind = 0;
  while (word && kind < KIND_COUNT && strcmp(word, kind_names[kind])) kind++;
  if (!source || kind == KIND_COUNT) return false;
  while (count < MOST - 1 && (word = strtok_r(NULL, "\t\n", &rest))) args[count++] = word;
  args[count++] = source;
  Kernel k = {.source = source, .kind = kind, .count = count, .args = args};
  k.said = open_memstream(&k.said_text, &k.said_size);
  Session *session = session_new(0);
  if (!session || !k.said) return false;
  session_run(session, work, &k);
  session_free(session);
  fclose(k.said);
  free(k.said_text);
  return true;
}

static int print_llvm(void) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  printf("LLVM %u.%u.%u\n", major, minor, patch);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--llvm") == 0) return print_llvm();
  char *line = NULL;
  size_t size = 0;
  bool good = argc == 1;
  while (good && getline(&line, &size, stdin) > 0) good = compile_kernel(line);
  free(line);
  return good ? 0 : 3;
}
