// SPDX-License-Identifier: Apache-2.0
// InterpretParams(detect_races=True) under run: kernels that ask for it run as under check, on a
// machine of their own, and of what that finds, races are reported, as JAX's interpreter does: on
// standard output, and the program goes on.
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "detector.h"
#include <stdlib.h>
#include "driver/compile/stage_options.h"
#include "prt_codegen.h"

struct Detector {
  Session *session;
  Options options; // those of check
  Jit *jit;        // made by the first call
  prt_machine *machine;
  Map *known; // text of the IR -> JitModule
  bool has_raced;
};

Detector *detector_new(Session *session, const Options *options) {
  Detector *d = ARENA_NEW(session->arena, Detector);
  *d = (Detector){.session = session, .options = *options, .known = map_new(session->arena)};
  d->options.check = true;
  d->options.opt_level = 1;
  return d;
}

void detector_free(Detector *d) {
  if (d->jit) jit_free(d->jit);
  prt_machine_free(d->machine);
  d->jit = NULL;
  d->machine = NULL;
}

bool detector_has_raced(Detector *d, bool forget) {
  bool has_raced = d->has_raced;
  if (forget) d->has_raced = false;
  return has_raced;
}

static void on_finding(void *data, const prt_finding *finding) {
  Detector *d = data;
  if (finding->kind != PRT_FINDING_RACE) return;
  d->has_raced = true;
  size_t length = prt_finding_text(finding, NULL, 0);
  char *text = arena_alloc(d->session->arena, length + 1);
  prt_finding_text(finding, text, length + 1);
  fprintf(d->session->out, "RACE DETECTED\n%s", text);
}

static void on_print(void *data, const char *text, size_t length) {
  const Detector *d = data;
  fwrite(text, 1, length, d->session->out);
}

static void on_report(void *data, const char *text, size_t length) {
  const Detector *d = data;
  fwrite(text, 1, length, d->session->diag_out);
}

static bool start(Detector *d) {
  if (d->jit) return true;
  prt_machine_options machine;
  prt_machine_options_init(&machine);
  machine.threads = 1;
  machine.seeded = true;
  machine.seed = d->options.seed;
  machine.on_finding = on_finding;
  machine.on_print = on_print;
  machine.on_report = on_report;
  machine.max_findings = (int64_t)d->options.max_errors;
  machine.data = d;
  d->machine = prt_machine_new(&machine);
  if (!d->machine) {
    diag_error(d->session, (Span){0}, "%s", prt_error_message());
    return false;
  }
  CodegenOptions codegen = codegen_options(&d->options);
  codegen.tsan = false;
  d->jit = jit_new(d->session, &codegen);
  return d->jit != NULL;
}

static JitModule *compile(Detector *d, IrModule *module) {
  Buf text;
  buf_init(&text, d->session->arena);
  ir_print(module, true, &text);
  Name key = name_intern(d->session->interner, buf_view(&text));
  JitModule *code = map_get(d->known, key);
  if (code) return code;
  PassOptions passes = pass_options(d->session, &d->options);
  lower_precision(&d->options, module);
  code = passes_run(d->session, module, &passes) ? jit_add(d->jit, module) : NULL;
  if (code) map_set(d->known, key, code);
  return code;
}

int detector_call(Detector *d, IrModule *module, const IrFunc *func, void *const *buffers) {
  Name name = func->name; // the passes may replace the function
  Span place = func->span;
  JitModule *code = start(d) ? compile(d, module) : NULL;
  const prt_entry *entry = code ? jit_find(d->jit, code, name_str(name)) : NULL;
  if (!entry) return STATUS_FAULT;
  prt_status status = entry->call(d->machine, buffers);
  fflush(d->session->out);
  if (status == PRT_OK || status == PRT_ERROR_CHECK) return STATUS_DONE;
  diag_error(d->session, place, "%s", prt_error_message());
  return status == PRT_ERROR_MEMORY ? STATUS_MACHINE : STATUS_FAULT;
}
