// SPDX-License-Identifier: Apache-2.0
// What an option does: its group's function sets the fields of Options.
#include "option_parser.h"
#include "ir/core/chip.h"

bool apply_topics(Parser *p, Str value) {
  if (value.len) return help_topic(p->session, value, p->session->out);
  bool is_reported = false; // of the words behind: --help run
  for (; p->next < p->args.count && p->args.items[p->next].data[0] != '-'; is_reported = true)
    if (!help_topic(p->session, p->args.items[p->next++], p->session->out)) return false;
  if (is_reported) return true;
  if (p->out->command != COMMAND_COMPILE)
    return help_topic(p->session, str_from_c(command_names[p->out->command]), p->session->out);
  help_print(p->session->out);
  return true;
}

// What is asked for instead of work.
static bool apply_about(Parser *p, OptionId id, Str value) {
  if (id == OPT_VERSION_SHORT && p->args.count > 1) { // as other compilers' -v
    help_version(p->session->arena, p->session->diag_out);
    return true;
  }
  p->stopped = true;
  if (id == OPT_VERSION || id == OPT_VERSION_SHORT)
    help_version(p->session->arena, p->session->out);
  else if (!apply_topics(p, value))
    return false;
  if (option_is_behind_program(p))
    fprintf(p->session->out, "\nOptions of the program stand behind --: pallasc %s %.*s -- %s\n",
            command_names[p->out->command], STR_FMT(p->out->inputs.items[0]),
            option_infos[id].spelling);
  return true;
}

static bool accept_shared(Parser *p) {
  p->out->kind = OUTPUT_SHARED;
  p->out->kind_given = true;
  p->out->to_stdout = false;
  return true;
}

static bool apply_bench(Parser *p, OptionId id, Str value) {
  switch (id) {
  case OPT_SWEEP: return accept_sweep(p, value);
  case OPT_SVG: p->out->svg = value; return true;
  case OPT_JSON: return p->out->json = true;
  default: BUG("option %d", (int)id);
  }
}

static bool apply_inspect(Parser *p, OptionId id, Str value) {
  Options *o = p->out;
  const char *option = option_infos[id].spelling;
  switch (id) {
  case OPT_TIME_PASSES: return accept_times(p, value);
  case OPT_STOP_AFTER: return accept_pass(p, option, value, &o->stop_after);
  case OPT_PRINT_AFTER: return accept_print_after(p, value);
  case OPT_RUN_PASS: return accept_pass(p, option, value, &o->run_pass);
  case OPT_FROM_IR: o->from_ir = value; return true;
  default: BUG("option %d", (int)id);
  }
}

static bool apply_run(Parser *p, OptionId id, Str value) {
  Options *o = p->out;
  const char *option = option_infos[id].spelling;
  switch (id) {
  case OPT_SEED:
    o->seed_given = true;
    return accept_number(p, option, value, 0, INT64_MAX, &o->seed);
  case OPT_SEEDS: return accept_number(p, option, value, 1, INT32_MAX, &o->seeds);
  case OPT_JOBS: return accept_int(p, option, value, 1, 1024, &o->jobs);
  case OPT_FAULTS: return o->faults = true;
  case OPT_SCHEDULE: return accept_schedule(p, value);
  case OPT_THREADS: return accept_int(p, option, value, 1, 1024, &o->threads);
  case OPT_TRANSPORT: return o->transport = value, true;
  case OPT_SHARDS: return o->shards = true;
  case OPT_DEADLOCK_DOT: return o->deadlock_dot = value, true;
  case OPT_PERF_MAP: o->perf_map = true; return true;
  case OPT_SUPPORT: o->support = true; return true;
  case OPT_NUMERICS: o->numerics = true; return true;
  default: BUG("option %d", (int)id);
  }
}

static Str color_of_pytest(Str value) {
  return str_equal(value, STR("yes"))  ? STR("always")
         : str_equal(value, STR("no")) ? STR("never")
                                       : value;
}

static bool apply(Parser *p, OptionId id, Str value) {
  Options *o = p->out;
  Arena *arena = p->session->arena;
  const char *option = option_infos[id].spelling;
  size_t which = 0;
  switch (id) {
  case OPT_OUTPUT: VEC_PUSH(arena, &o->outputs, value); return true;
  case OPT_HEADER:
    if (o->header.len) return usage(p, "'-h' was given 2 times");
    o->header = value;
    return true;
  case OPT_OBJECT: o->to_stdout = false; return accept_kind(p, STR("obj"));
  case OPT_ASM: o->to_stdout = false; return accept_kind(p, STR("asm"));
  case OPT_QUIET:
  case OPT_QUIET_SHORT: return o->quiet = true;
  case OPT_SHARED:
  case OPT_SHARED_LONG: return accept_shared(p);
  case OPT_EMIT: o->to_stdout = true; return accept_kind(p, value);
  case OPT_MD: o->depfile = true; return true;
  case OPT_MF: o->depfile_path = value; return true;
  case OPT_MT: o->depfile_target = value; return true;
  case OPT_MP: o->depfile_phony = true; return true;
  case OPT_ENTRY: VEC_PUSH(arena, &o->entries, value); return true;
  case OPT_SOURCE_KIND: return accept_source_kind(p, value);
  case OPT_ONLY: o->only = value; return true;
  case OPT_DEFINE: return accept_define(p, value);
  case OPT_INCLUDE: VEC_PUSH(arena, &o->include_dirs, value); return true;
  case OPT_TPU: o->tpu_given = true; return accept_tpu(p, value);
  case OPT_DEVICES: return accept_int(p, option, value, 1, MAX_DEVICES, &o->devices);
  case OPT_TARGET_CPU: return accept_cpu(p, value);
  case OPT_MATMUL_PRECISION:
    if (!accept_word(p, id, value, &which)) return false;
    o->matmul_tpu = which == 1;
    return true;
  case OPT_OPTIMISE:
    return accept_int(p, option, value.len ? value : STR("1"), 0, 3, &o->opt_level);
  case OPT_DEBUG: o->debug_info = true; return true;
  case OPT_SANITIZE: return o->tsan = accept_word(p, id, value, &which);
  case OPT_CHECK: o->check = true; return true;
  case OPT_NAN: o->nan = true; return true;
  case OPT_APART: o->apart = true; return true;
  case OPT_CACHE: o->cache = value; return true;
  case OPT_CACHE_SIZE: return accept_size(p, option, value, &o->cache_size);
  case OPT_WARNING: return accept_warning(p, value);
  case OPT_REPORT: return o->report = true;
  case OPT_NO_WARNINGS: return accept_warning(p, STR("no-all"));
  case OPT_STRICT_TPU:
    o->strict_tpu = o->warning_on[WARN_TPU] = o->warning_is_error[WARN_TPU] = true;
    return true;
  case OPT_ERROR_FORMAT:
    if (!accept_word(p, id, value, &which)) return false;
    p->session->error_format = o->error_format = (ErrorFormat)which;
    return true;
  case OPT_COLOR:
    if (o->command == COMMAND_TEST) value = color_of_pytest(value);
    if (value.len && !accept_word(p, id, value, &which)) return false;
    p->session->color = o->color = value.len ? (WhenColor)which : COLOR_ALWAYS;
    return true;
  case OPT_MAX_ERRORS: return accept_count(p, option, value, &o->max_errors);
  case OPT_MAX_TURNS: return accept_number(p, option, value, 0, INT64_MAX, &o->max_turns);
  case OPT_MAX_TRACE_STEPS: return accept_number(p, option, value, 1, INT64_MAX, &o->max_steps);
  case OPT_MAX_DEPTH: return accept_int(p, option, value, 1, 100000, &o->max_depth);
  case OPT_MAX_MEMORY:
  case OPT_MEMORY_LIMIT: return accept_size(p, option, value, &o->memory_limit);
  default: break;
  }
  BUG("option %d", (int)id);
}

bool apply_option(Parser *p, OptionId id, Str value) {
  static bool (*const of_groups[GROUP_COUNT])(Parser *, OptionId,
                                              Str) = {[GROUP_RUN] = apply_run,
                                                      [GROUP_TEST] = apply_test,
                                                      [GROUP_BENCH] = apply_bench,
                                                      [GROUP_INSPECT] = apply_inspect,
                                                      [GROUP_ABOUT] = apply_about};
  GroupId group = option_infos[id].group;
  return (of_groups[group] ? of_groups[group] : apply)(p, id, value);
}
