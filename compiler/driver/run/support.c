// SPDX-License-Identifier: Apache-2.0
// check --support: which chips take the kernels of a program, and what each of the others refuses.
// The program is run for each chip in a session of its own, as what it asks of the chip may differ;
// what it prints goes nowhere.
#include <string.h>
#include "base/buf.h"
#include "base/json.h"
#include "ir/core/chip.h"
#include "jit_backend.h"
#include "program.h"

enum { SHOWN = 3 }; // refusals of a chip, for people

typedef struct Refusal {
  Str path; // empty: of no place
  LineCol at;
  Str message;
} Refusal;

typedef struct Answer {
  const Chip *chip;
  VEC(Refusal) refusals;
} Answer;

typedef struct Support {
  Session *session;
  Options options;
  FILE *nowhere;
  ProgramCounts counts; // of the last chip
} Support;

static bool is_refusal(const Diag *diag) {
  return diag->severity == SEV_ERROR || diag->group == WARN_TPU;
}

// Of a program of the library, what called it.
static Span place_of(const Session *session, const Diag *diag) {
  Span place = diag->span;
  for (size_t i = 0; i < diag->frame_count; i++) {
    if (source_is_users(session, place)) break;
    place = diag->frames[i].call;
  }
  return place;
}

static void take(const Support *s, Session *of_chip, Answer *answer) {
  Arena *arena = s->session->arena;
  for (const Diag *diag = of_chip->first_diag; diag; diag = diag->next) {
    if (!is_refusal(diag)) continue;
    Refusal refusal = {.message = str_copy(arena, diag->message)};
    Span place = place_of(of_chip, diag);
    const SourceFile *file = source_get(of_chip, place.file);
    if (file) {
      refusal.path = str_copy(arena, file->path);
      refusal.at = source_line_col(file, place.begin);
    }
    VEC_PUSH(arena, &answer->refusals, refusal);
  }
}

static int run_for_chip(Session *of_chip, void *data) {
  Support *s = data;
  return program_run(of_chip, &s->options, &s->counts);
}

// The exit status if the machine, or the user, ends it all.
static int ask(Support *s, Answer *answer) {
  Session *of_chip = session_new(s->options.memory_limit);
  if (!of_chip) return STATUS_MACHINE;
  for (int i = 0; i < WARN_COUNT; i++)
    of_chip->warning_on[i] = i == WARN_TPU, of_chip->warning_is_error[i] = false;
  of_chip->out = of_chip->diag_out = s->nowhere;
  of_chip->texts = s->session->texts;
  of_chip->text_count = s->session->text_count;
  of_chip->max_errors = s->session->max_errors;
  s->options.tpu = str_from_c(answer->chip->name);
  int status = session_run(of_chip, run_for_chip, s);
  bool is_over = status == STATUS_STOPPED ||
                 ((status == STATUS_USAGE || status == STATUS_MACHINE) && of_chip->error_count);
  take(s, of_chip, answer);
  for (size_t i = 0; i < answer->refusals.count && is_over; i++) // of no chip
    diag_error(s->session, (Span){0}, "%.*s", STR_FMT(answer->refusals.items[i].message));
  session_free(of_chip);
  return is_over ? status : STATUS_DONE;
}

// ---- what is said -------------------------------------------------------------------------------
static void print_refusal(FILE *out, const Refusal *r) {
  if (r->path.len) fprintf(out, "%.*s:%u:%u: ", STR_FMT(r->path), r->at.line, r->at.column);
  fprintf(out, "%.*s\n", STR_FMT(r->message));
}

static void print_answer(FILE *out, const Answer *answer) {
  fprintf(out, "%-4s  %s", answer->chip->name, answer->refusals.count ? "no   " : "yes\n");
  for (size_t i = 0; i < answer->refusals.count && i < SHOWN; i++) {
    if (i) fprintf(out, "%11s", "");
    print_refusal(out, &answer->refusals.items[i]);
  }
  if (answer->refusals.count > SHOWN)
    fprintf(out, "%11sand %zu more\n", "", answer->refusals.count - SHOWN);
}

static void print_json(Arena *arena, FILE *out, const Answer *answer) {
  Buf buf;
  buf_init(&buf, arena);
  buf_printf(&buf, "{\"chip\":\"%s\",\"supported\":%s,\"refusals\":[", answer->chip->name,
             answer->refusals.count ? "false" : "true");
  for (size_t i = 0; i < answer->refusals.count; i++) {
    const Refusal *r = &answer->refusals.items[i];
    buf_c(&buf, i ? ",{\"file\":" : "{\"file\":");
    json_string(r->path, &buf);
    buf_printf(&buf, ",\"line\":%u,\"column\":%u,\"message\":", r->at.line, r->at.column);
    json_string(r->message, &buf);
    buf_c(&buf, "}");
  }
  buf_c(&buf, "]}\n");
  Str text = buf_view(&buf);
  fwrite(text.data, 1, text.len, out);
}

// All chips, or the one that the command line names.
static const Chip *asked_chips(const Options *given, size_t *count) {
  const Chip *chips = chip_table(count);
  if (!given->tpu_given) return chips;
  *count = 1;
  return chip_find(given->tpu);
}

int support_run(Session *session, const Options *given) {
  size_t count;
  const Chip *chips = asked_chips(given, &count);
  Support s = {.session = session, .options = *given, .nowhere = fopen("/dev/null", "w")};
  if (!s.nowhere) return STATUS_MACHINE;
  s.options.check = s.options.strict_tpu = s.options.report = false;
  s.options.quiet = true;
  bool is_taken = false;
  int status = STATUS_DONE;
  for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
    Answer answer = {.chip = &chips[i]};
    session_progress(session, "asking", i, count, str_from_c(chips[i].name));
    status = ask(&s, &answer);
    if (status != STATUS_DONE) break;
    if (!s.counts.calls && !answer.refusals.count) {
      diag_error(
          session, (Span){0},
          "no chip was asked: nothing in '%.*s' runs on one; a call of a kernel does, and a "
          "function whose array parameters are annotated, as in 'def add(x: f32[512, 512]):'",
          STR_FMT(given->inputs.items[0]));
      status = STATUS_FAULT;
      break;
    }
    if (given->json || given->error_format == FORMAT_JSON)
      print_json(session->arena, session->out, &answer);
    else
      print_answer(session->out, &answer);
    fflush(session->out);
    is_taken |= !answer.refusals.count;
  }
  fclose(s.nowhere);
  return status ? status : is_taken ? STATUS_DONE : STATUS_FAULT;
}
