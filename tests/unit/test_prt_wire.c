// SPDX-License-Identifier: Apache-2.0
// Constants on their way to a rank whose program lies elsewhere (prt_wire.h).
#include <check.h>
#include <stdlib.h>
#include "machine/prt_call.h"
#include "transport/prt_packet.h"
#include "transport/prt_wire.h"
#include "suite.h"

// Programs that are never looked into: as far as these from the runtime.
static prt_call program_at(intptr_t from_runtime) {
  return (prt_call){.entry =
                        (const prt_entry *)((uintptr_t)prt_version() + (uintptr_t)from_runtime)};
}

static uintptr_t carried(const void *constant, const prt_call *from, const prt_call *to) {
  prt_wire wire = {0};
  prt__put_constant(&wire, from, constant);
  prt_words words = {wire.words, wire.words + wire.count, false};
  uintptr_t got = (uintptr_t)prt__get_constant(&words, to);
  ck_assert(!words.failed && words.at == words.end);
  free(wire.words);
  return got;
}

enum { FAR = 1 << 28, AWAY = FAR / 4 };
static const intptr_t programs[] = {FAR, -FAR}, offsets[] = {0, 8, -8, AWAY, -AWAY};

START_TEST(constants_go_with_what_they_are_near) {
  prt_call there = program_at(3 * (intptr_t)FAR);
  for (size_t p = 0; p < 2; p++)
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
      prt_call here = program_at(programs[p]);
      uintptr_t offset = (uintptr_t)offsets[i];
      const void *of_program = (const void *)((uintptr_t)here.entry + offset),
                 *of_runtime = (const void *)((uintptr_t)prt_version() + offset);
      ck_assert_uint_eq(carried(of_program, &here, &there), (uintptr_t)there.entry + offset);
      ck_assert_uint_eq(carried(of_runtime, &here, &there), (uintptr_t)of_runtime);
    }
}
END_TEST

START_TEST(no_constant_is_none_there) {
  prt_call here = program_at(FAR), there = program_at(-FAR);
  ck_assert_uint_eq(carried(NULL, &here, &there), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_wire");
  TCase *tc = tcase_create("wire");
  tcase_add_test(tc, constants_go_with_what_they_are_near);
  tcase_add_test(tc, no_constant_is_none_there);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
