// SPDX-License-Identifier: Apache-2.0
// pallasc bench: an entry point, timed on made-up arrays, against what the machine can do.
//
//   pallasc bench softmax.pk:softmax 'f32[n,1024]' --sweep n=256:4096
//
// In: FILE:FUNCTION and the arguments of its specialisation, in which names of --sweep stand for
// sizes. Each size is compiled as an object would be, and called until its time is known.
#include <stdlib.h>
#include <string.h>
#include "base/plural.h"
#include "base/buf.h"
#include "base/host.h"
#include "base/json.h"
#include "driver/compile/compile.h"
#include "driver/compile/source_open.h"
#include "driver/output/output.h"
#include "driver/progress/times.h"
#include "driver/run/made_up.h"
#include "driver/run/program.h"
#include "jax/program/entry.h"
#include "bench.h"

enum { SAMPLES = 9, MOST_SIZES = 256 };
static const double least_sample = 2e-3, most_time = 1.5; // seconds: of a sample, of one size
#define MOST_CHANGE 1.25 // of a limit, from the start to the end, that shares are still good for

typedef struct Timing {
  int64_t size; // of the sweep
  double least, median;
  double bytes, flops; // of a call
} Timing;

typedef struct Bench {
  Session *session;
  const Options *o;
  Str path, function, arguments;
  bool is_annotated; // no arguments were given, not even none
  BenchLimits limits;
  int threads;
  prt_machine *machine;
  VEC(Timing) timings;
} Bench;

static int usage(Session *session, const char *message) {
  diag_error(session, (Span){0}, "%s", message);
  return STATUS_USAGE;
}

// ---- what is compiled ---------------------------------------------------------------------------
static bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9') ||
         (c & 0x80);
}

// The arguments with the sweep's name replaced by a size; *found: how often it stands there.
static Str with_size(const Bench *b, int64_t size, size_t *found) {
  Str text = b->arguments, name = b->o->sweep_name;
  Buf buf;
  buf_init(&buf, b->session->arena);
  *found = 0;
  for (size_t i = 0; i < text.len;) {
    size_t end = i;
    while (end < text.len && is_name_byte(text.data[end])) end++;
    Str word = {text.data + i, end > i ? end - i : 1};
    if (name.len && str_equal(word, name)) {
      ++*found;
      buf_printf(&buf, "%lld", (long long)size);
    } else {
      buf_str(&buf, word);
    }
    i += word.len;
  }
  return buf_view(&buf);
}

// A name in the types, f32[n,128], was probably meant for several sizes.
static void help_sweep(const Bench *b) {
  Diag *diag = diag_last(b->session, DIAG_SIZE_UNKNOWN);
  diag_help(diag, STR("--sweep gives a name several sizes: --sweep n=256:4096"));
}

static void help_types(const Bench *b) {
  diag_help(diag_last(b->session, DIAG_ENTRY_UNTYPED),
            str_format(b->session->arena,
                       "give the types of its arguments: pallasc bench %.*s:%.*s "
                       "'f32[1024,1024]', or '' if it has none",
                       STR_FMT(b->path), STR_FMT(b->function)));
}

// The object of the function, and which of its entry points that is. The exit status.
static int compile_size(Bench *b, int64_t size, Made *made, size_t *which) {
  Options own = *b->o;
  size_t found;
  own.command = COMMAND_COMPILE;
  own.kind = OUTPUT_CODE;
  own.inputs = own.sources = (StrList){&b->path, 1, 1};
  Str entry = b->function; // of CLASS.NAME the entry point is NAME
  for (size_t i = 0; i < b->function.len; i++)
    if (b->function.data[i] == '.')
      entry = (Str){b->function.data + i + 1, b->function.len - i - 1};
  Str text = str_format(b->session->arena, "%.*s(%.*s)", STR_FMT(b->function),
                        STR_FMT(with_size(b, size, &found)));
  own.entries = (StrList){b->is_annotated ? &b->function : &text, 1, 1};
  *made = (Made){0};
  int status = compile_text(b->session, &own, 0, made);
  if (status && !b->is_annotated && !b->o->sweep_name.len) help_sweep(b);
  if (status && b->is_annotated) help_types(b);
  if (status) return status;
  for (*which = 0; *which < made->entries.count; ++*which)
    if (str_equal(name_str(made->entries.items[*which].name), entry)) return STATUS_DONE;
  BUG("the entry point is not there");
}

// ---- calls --------------------------------------------------------------------------------------
static int failed(Bench *b, prt_status status) {
  diag_error(b->session, (Span){0}, "%s", prt_error_message());
  return status == PRT_ERROR_MEMORY || status == PRT_ERROR_CPU ? STATUS_MACHINE : STATUS_FAULT;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static prt_status call_times(Bench *b, const prt_entry *entry, void *const *arguments, long count) {
  prt_status status = PRT_OK;
  for (long i = 0; i < count && !status; i++) status = entry->call(b->machine, arguments);
  return status;
}

// Samples of as many calls as make one long enough to be measured.
static prt_status time_calls(Bench *b, const prt_entry *entry, void *const *arguments,
                             Timing *timing) {
  double samples[SAMPLES], begun = times_now();
  prt_status status = call_times(b, entry, arguments, 2);
  double begin = times_now();
  if (!status) status = call_times(b, entry, arguments, 1);
  double once = times_now() - begin;
  long calls = once < least_sample ? (long)(least_sample / (once > 1e-8 ? once : 1e-8)) + 1 : 1;
  size_t count = 0;
  while (!status && count < SAMPLES && (count < 3 || times_now() - begun < most_time)) {
    begin = times_now();
    status = call_times(b, entry, arguments, calls);
    samples[count++] = (times_now() - begin) / (double)calls;
  }
  if (status) return status;
  qsort(samples, count, sizeof *samples, by_value);
  timing->least = samples[0];
  timing->median = samples[count / 2];
  return PRT_OK;
}

// Arrays that this machine has no memory for would be swapped, or end other programs.
static bool fits_memory(const Bench *b, const prt_entry *entry) {
  double needed = 0, there = (double)host_memory_bytes();
  for (uint32_t i = 0; i < entry->param_count; i++)
    needed += (double)prt_param_bytes(&entry->params[i]);
  if (needed <= there) return true;
  diag_error(b->session, (Span){0}, "the arrays need %.0f GB, more than this machine's memory",
             needed * 1e-9);
  return false;
}

static int time_entry(Bench *b, const prt_entry *entry, Timing *timing) {
  if (!fits_memory(b, entry)) return STATUS_MACHINE;
  uint64_t state = b->o->seed;
  prt_status status = PRT_OK;
  prt_array *arrays = ARENA_ARRAY(b->session->arena, prt_array, entry->param_count + 1);
  void **arguments = ARENA_ARRAY(b->session->arena, void *, entry->param_count + 1);
  for (uint32_t i = 0; i < entry->param_count && !status; i++) {
    const prt_param *p = &entry->params[i];
    status =
        made_up_array(compiler_dtype((prt_dtype)p->dtype), p->rank, p->dims, &state, &arrays[i]);
    arguments[i] = arrays[i].data;
    timing->bytes += (double)prt_param_bytes(p) * (p->role == PRT_IN_OUT ? 2 : 1);
  }
  session_progress(b->session, "timing", 0, 0, b->function);
  if (!status) status = time_calls(b, entry, arguments, timing);
  int result = status ? failed(b, status) : STATUS_DONE;
  for (uint32_t i = 0; i < entry->param_count; i++) prt_array_free(&arrays[i]);
  return result;
}

// What annotations say of the arguments, as a command line would.
static Str types_text(Arena *arena, const prt_entry *entry) {
  Buf buf;
  buf_init(&buf, arena);
  for (uint32_t i = 0; i < entry->param_count; i++) {
    const prt_param *p = &entry->params[i];
    if (p->role == PRT_OUT) continue;
    buf_printf(&buf, "%s%s", buf.len ? ", " : "",
               dtype_short_name(compiler_dtype((prt_dtype)p->dtype)));
    for (int32_t d = 0; d < p->rank; d++)
      buf_printf(&buf, "%s%lld", d ? "," : "[", (long long)p->dims[d]);
    if (p->rank) buf_c(&buf, "]");
  }
  return buf_view(&buf);
}

static int bench_size(Bench *b, int64_t size) {
  Made made;
  size_t which;
  Timing timing = {.size = size};
  int status = compile_size(b, size, &made, &which);
  if (status) return status;
  IrCost cost = made.costs.items[which];
  timing.flops = (double)cost.flops + (double)cost.transcendentals;
  Jit *jit = jit_new(b->session, &made.codegen);
  JitModule *code = jit ? jit_load(jit, made.text, LONE_SUFFIX) : NULL;
  const prt_entry *entry =
      code ? jit_find(jit, code, name_str(made.entries.items[which].name)) : NULL;
  if (entry && b->is_annotated) b->arguments = types_text(b->session->arena, entry);
  if (entry)
    status = time_entry(b, entry, &timing);
  else
    status = (diag_error(b->session, (Span){0}, "the code of '%.*s' cannot be loaded",
                         STR_FMT(b->function)),
              STATUS_MACHINE);
  if (jit) jit_free(jit);
  if (!status) VEC_PUSH(b->session->arena, &b->timings, timing);
  return status;
}

// ---- what is said -------------------------------------------------------------------------------
// "85 %" of what the machine can do. Far more than all of it: what is counted was not touched.
static Str share(Arena *arena, double rate, double limit) {
  enum { MOST = 999 };
  double percent = limit > 0 ? rate / limit * 100 : 0;
  if (percent > MOST) return str_format(arena, ">%d %%", MOST);
  return str_format(arena, "%4.0f %%", percent);
}

static void print_row(const Bench *b, const Timing *t) {
  FILE *out = b->session->out;
  double bytes = t->bytes / t->least, flops = t->flops / t->least;
  if (b->o->sweep_name.len) fprintf(out, "%12lld ", (long long)t->size);
  fprintf(out, "%12.6f ms %12.6f ms %10.2f GB/s %s %11.2f GFLOP/s %s\n", t->least * 1e3,
          t->median * 1e3, bytes * 1e-9, share(b->session->arena, bytes, b->limits.bytes).data,
          flops * 1e-9, share(b->session->arena, flops, b->limits.flops).data);
  fflush(out);
}

static void print_head(const Bench *b) {
  FILE *out = b->session->out;
  fprintf(out, "%.*s(%.*s), %d thread%s; this machine: %.2f GB/s, %.2f GFLOP/s\n",
          STR_FMT(b->function), STR_FMT(b->arguments), b->threads, PLURAL(b->threads),
          b->limits.bytes * 1e-9, b->limits.flops * 1e-9);
  if (b->o->sweep_name.len) fprintf(out, "%12.*s ", STR_FMT(b->o->sweep_name));
  fprintf(out, "%15s %15s %15s %6s %19s %6s\n", "least", "median", "bytes", "of it", "arithmetic",
          "of it");
  fflush(out);
}

// Of what the machine could do before and after.
static bool has_changed(double before, double after) {
  return before > 0 && after > 0 && (after > before * MOST_CHANGE || before > after * MOST_CHANGE);
}

static void print_change(const Bench *b, const BenchLimits *after) {
  if (!has_changed(b->limits.bytes, after->bytes) && !has_changed(b->limits.flops, after->flops))
    return;
  fprintf(b->session->out,
          "this machine at the end: %.2f GB/s, %.2f GFLOP/s; others are at work on it, or it "
          "changes its clock: the shares are uncertain\n",
          after->bytes * 1e-9, after->flops * 1e-9);
}

static void print_json(const Bench *b, const BenchLimits *after) {
  Buf buf;
  buf_init(&buf, b->session->arena);
  buf_c(&buf, "{\"function\": ");
  json_string(b->function, &buf);
  buf_c(&buf, ", \"arguments\": ");
  json_string(b->arguments, &buf);
  buf_printf(&buf,
             ", \"threads\": %d, \"limits\": {\"bytes_per_second\": %.6g, "
             "\"flops_per_second\": %.6g}, \"limits_after\": {\"bytes_per_second\": %.6g, "
             "\"flops_per_second\": %.6g}, \"rows\": [",
             b->threads, b->limits.bytes, b->limits.flops, after->bytes, after->flops);
  for (size_t i = 0; i < b->timings.count; i++) {
    const Timing *t = &b->timings.items[i];
    buf_c(&buf, i ? ", {" : "{");
    if (b->o->sweep_name.len) {
      json_string(b->o->sweep_name, &buf);
      buf_printf(&buf, ": %lld, ", (long long)t->size);
    }
    buf_printf(&buf, "\"least\": %.9g, \"median\": %.9g, \"bytes\": %.0f, \"flops\": %.0f}",
               t->least, t->median, t->bytes, t->flops);
  }
  buf_c(&buf, "]}\n");
  Str text = buf_view(&buf);
  fwrite(text.data, 1, text.len, b->session->out);
}

// Of bytes or arithmetic what comes nearer to what the machine can do, at the largest size.
static int write_plot(const Bench *b) {
  const Timing *last = &b->timings.items[b->timings.count - 1];
  bool by_bytes = last->bytes * b->limits.flops >= last->flops * b->limits.bytes;
  BenchPoint *points = ARENA_ARRAY(b->session->arena, BenchPoint, b->timings.count);
  for (size_t i = 0; i < b->timings.count; i++) {
    const Timing *t = &b->timings.items[i];
    points[i] = (BenchPoint){t->size, (by_bytes ? t->bytes : t->flops) / t->least * 1e-9};
  }
  Str title = str_format(b->session->arena, "%.*s(%.*s), threads: %d", STR_FMT(b->function),
                         STR_FMT(b->arguments), b->threads);
  Str text =
      bench_plot(b->session->arena, title, b->o->sweep_name, by_bytes ? "GB/s" : "GFLOP/s",
                 b->timings.count, points, (by_bytes ? b->limits.bytes : b->limits.flops) * 1e-9);
  Outputs *outputs = outputs_new(b->session);
  outputs_add(outputs, b->o->svg, text);
  return outputs_write(outputs);
}

// ---- all sizes ----------------------------------------------------------------------------------
static int64_t next_size(const Options *o, int64_t size) {
  return o->sweep_step > 0 ? size + o->sweep_step : size * 2;
}

static int bench_all(Bench *b) {
  const Options *o = b->o;
  bool sweeps = o->sweep_name.len > 0;
  int status = STATUS_DONE;
  size_t count = 0;
  for (int64_t size = sweeps ? o->sweep_first : 1; size <= (sweeps ? o->sweep_last : 1) && !status;
       size = next_size(o, size)) {
    if (++count > MOST_SIZES) return usage(b->session, "'--sweep' has more than 256 sizes");
    status = bench_size(b, size);
    if (status || o->json) continue;
    if (count == 1) print_head(b);
    print_row(b, &b->timings.items[b->timings.count - 1]);
  }
  if (status) return status;
  BenchLimits after = bench_limits(b->threads);
  if (o->json)
    print_json(b, &after);
  else
    print_change(b, &after);
  return o->svg.len ? write_plot(b) : STATUS_DONE;
}

static int bench_on_machine(Bench *b) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = b->o->threads;
  b->machine = prt_machine_new(&options);
  if (!b->machine) return failed(b, PRT_ERROR_MEMORY);
  b->threads = prt_machine_threads(b->machine);
  b->limits = bench_limits(b->threads);
  int status = bench_all(b);
  prt_machine_free(b->machine);
  return status;
}

// No function, or several: which there are to choose from, for the file is only read.
static int not_one_function(Session *session, const Target *target) {
  SourceFile *file = source_open(session, target->path);
  if (!file) return STATUS_MACHINE;
  const JaxprProgram *jaxpr;
  const Module *module = source_parse(session, file, &jaxpr);
  if (session->error_count) return STATUS_FAULT;
  Buf names;
  buf_init(&names, session->arena);
  for (size_t i = 0; i < module->body.count; i++) {
    const Stmt *stmt = module->body.items[i];
    if (stmt->kind != ST_FUNCTION_DEF || stmt->function.name->text[0] == '_') continue;
    buf_printf(&names, "%s'%s'", names.len ? ", " : "", stmt->function.name->text);
  }
  usage(session, "'bench' times one function: FILE:FUNCTION");
  diag_help(session->last_diag, names.len ? str_format(session->arena, "the file defines %.*s",
                                                       STR_FMT(buf_view(&names)))
                                          : STR("the file defines no functions"));
  return STATUS_USAGE;
}

int bench_run(Session *session, const Options *o) {
  Target target = target_split(session, o->inputs.items[0]);
  if (target.functions.count != 1) return not_one_function(session, &target);
  Buf arguments;
  buf_init(&arguments, session->arena);
  for (size_t i = 1; i < o->inputs.count; i++)
    buf_printf(&arguments, "%s%.*s", i > 1 ? ", " : "", STR_FMT(o->inputs.items[i]));
  Bench b = {.session = session,
             .o = o,
             .path = target.path,
             .function = target.functions.items[0],
             .arguments = buf_view(&arguments),
             .is_annotated = o->inputs.count < 2};
  if (str_ends_with(b.arguments, STR(".npy")))
    return usage(session,
                 "'bench' makes arrays up, and takes their types, such as 'f32[1024,1024]', "
                 "not files");
  size_t found;
  with_size(&b, 1, &found);
  if (o->sweep_name.len && !found) {
    diag_error(session, (Span){0}, "'--sweep': '%.*s' does not stand in the arguments '%.*s'",
               STR_FMT(o->sweep_name), STR_FMT(b.arguments));
    return STATUS_USAGE;
  }
  if (o->svg.len && !output_can_be(session, o->svg)) return STATUS_MACHINE;
  return bench_on_machine(&b);
}
