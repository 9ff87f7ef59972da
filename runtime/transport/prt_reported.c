// SPDX-License-Identifier: Apache-2.0
// What is reported of tasks, as words: prt_reported.def says what the arguments of each are.
#include <stdarg.h>
#include <stdint.h>

#include "machine/prt_fail.h"
#include "tasks/prt_task.h"
#include "prt_ranks.h"
#include "prt_reported.h"
#include "prt_interned.h"

static const char *const arguments_of[] = {
#define PRT_REPORTED(name, arguments) [PRT_REPORTED_##name] = arguments,
#include "tasks/prt_reported.def"
#undef PRT_REPORTED
};
enum { REPORTED_COUNT = sizeof arguments_of / sizeof arguments_of[0] };

void prt__reported_put(prt_wire *wire, const prt_schedule *s, int32_t what, va_list arguments) {
  prt__put_number(wire, what);
  for (const char *a = arguments_of[what]; *a; a++) {
    if (*a == 'i') {
      prt__put_number(wire, va_arg(arguments, int64_t));
      continue;
    }
    const void *reported = va_arg(arguments, const void *);
    bool has_count = *a == 'n' || *a == 'd' || *a == 'g';
    int32_t count = has_count ? (int32_t)va_arg(arguments, int64_t) : 0;
    switch (*a) {
    case 'c': prt__put_constant(wire, s->call, reported); break;
    case 'm': prt__put_memory(wire, s, reported); break;
    case 'k': prt__put_task(wire, s, reported); break;
    case 'r': prt__put_region(wire, s, reported); break;
    case 's': prt__put_site(wire, reported); break;
    case 't':
    case 'w': prt__put_text(wire, reported); break;
    case 'f': prt__put_finding(wire, reported); break;
    case 'g':
      prt__put_number(wire, count);
      prt__put_names(wire, reported, count);
      break;
    default: prt__put_numbers(wire, reported, count);
    }
  }
}

static void get_argument(prt_words *words, prt_ranks *r, prt_reported *out, char kind,
                         prt_reported_argument *at) {
  prt_schedule *s = r->schedule;
  int32_t count = 0;
  switch (kind) {
  case 'c': at->constant = prt__get_constant(words, r->led.worker->call); return;
  case 'i': at->number = prt__get_number(words); return;
  case 'm': at->memory = prt__get_memory(words, s); return;
  case 'k': at->task = prt__get_task(words, s); return;
  case 'r': prt__get_region(words, s, &out->region); return;
  case 's': at->constant = prt__get_site(words, r); return;
  case 't': at->text = prt__get_text(words); return;
  case 'w': at->text = prt__get_word(words, r); return;
  case 'f': prt__get_finding(words, r, &out->finding, out->notes, REPORTED_NOTES); return;
  case 'd': at->numbers = prt__get_kept_numbers(words, r, &count); break;
  case 'g':
    count = (int32_t)prt__get_number(words);
    at->constant = prt__get_names(words, r, count);
    break;
  default: at->numbers = prt__get_numbers(words, &count);
  }
  at->number = count;
}

bool prt__reported_get(prt_words *words, prt_ranks *r, prt_reported *out) {
  int64_t what = prt__get_number(words);
  words->failed |= what < 0 || what >= REPORTED_COUNT;
  out->what = (int32_t)what;
  const char *arguments = words->failed ? "" : arguments_of[what];
  for (int32_t i = 0; arguments[i] && !words->failed; i++)
    get_argument(words, r, out, arguments[i], &out->at[i]);
  if (words->failed)
    prt__call_fail_text(r->led.worker->call, PRT_ERROR_MACHINE,
                        "what another rank has reported cannot be read");
  return !words->failed;
}
