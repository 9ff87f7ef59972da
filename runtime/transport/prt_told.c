// SPDX-License-Identifier: Apache-2.0
// What is told of tasks, as words: prt_told.def says what the arguments of each are.
#include "prt_led.h"

static const char *const arguments_of[] = {
#define PRT_TOLD(name, arguments) [PRT_TELL_##name] = arguments,
#include "tasks/prt_told.def"
#undef PRT_TOLD
};
enum { TOLD_COUNT = sizeof arguments_of / sizeof arguments_of[0] };

static void put_numbers(prt_wire *wire, const int64_t *numbers, int64_t count) {
  prt__put_numbers(wire, numbers, (int32_t)count);
}

void prt__tell_put(prt_wire *wire, const prt_schedule *s, int32_t what, va_list arguments) {
  prt__put_number(wire, what);
  for (const char *a = arguments_of[what]; *a; a++) {
    switch (*a) {
    case 'c': prt__put_constant(wire, s->call, va_arg(arguments, const void *)); break;
    case 'i': prt__put_number(wire, va_arg(arguments, int64_t)); break;
    case 'm': prt__put_memory(wire, s, va_arg(arguments, const void *)); break;
    case 'k': prt__put_task(wire, s, va_arg(arguments, const prt_node *)); break;
    case 'r': prt__put_region(wire, s, va_arg(arguments, const prt_region *)); break;
    case 't': prt__put_text(wire, va_arg(arguments, const char *)); break;
    case 'f': prt__put_finding(wire, s->call, va_arg(arguments, const prt_finding *)); break;
    default: {
      const int64_t *numbers = va_arg(arguments, const int64_t *);
      put_numbers(wire, numbers, va_arg(arguments, int64_t));
    }
    }
  }
}

static void get_argument(prt_words *words, prt_schedule *s, prt_telling *out, char kind,
                         prt_told_argument *at) {
  int32_t count;
  switch (kind) {
  case 'c': at->constant = prt__get_constant(words, s->call); break;
  case 'i': at->number = prt__get_number(words); break;
  case 'm': at->memory = prt__get_memory(words, s); break;
  case 'k': at->task = prt__get_task(words, s); break;
  case 'r': prt__get_region(words, s, &out->region); break;
  case 't': at->text = prt__get_text(words); break;
  case 'f': prt__get_finding(words, s->call, &out->finding, out->notes, TOLD_NOTES); break;
  default: at->numbers = prt__get_numbers(words, &count); at->number = count;
  }
}

bool prt__tell_get(prt_words *words, prt_schedule *s, prt_telling *out) {
  int64_t what = prt__get_number(words);
  words->failed |= what < 0 || what >= TOLD_COUNT;
  out->what = (int32_t)what;
  const char *arguments = words->failed ? "" : arguments_of[what];
  for (int32_t i = 0; arguments[i] && !words->failed; i++)
    get_argument(words, s, out, arguments[i], &out->at[i]);
  if (words->failed)
    prt__call_fail_text(s->call, PRT_ERROR_MACHINE, "what another rank has told cannot be read");
  return !words->failed;
}
