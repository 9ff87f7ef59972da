// SPDX-License-Identifier: Apache-2.0
// The end of a Check program.
#pragma once
#include <check.h>
#include <stdlib.h>

// A sanitizer makes a test some ten times as long, and tells of each place of ours: what only
// repeats the same places, for another target or seed, is left to the build without it.
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

// In loops of millions: Check notes each of its own assertions in a file, and of this one only that
// it failed. What follows the condition is a format and its values.
#define CHECK_EACH(condition, ...)                                                                 \
  do {                                                                                             \
    if (!(condition)) ck_abort_msg(__VA_ARGS__);                                                   \
  } while (0)

// Runs the suite and frees it; gives the exit status of the program. CK_NOFORK: all in this
// process.
static inline int suite_run_as(Suite *suite, enum fork_status fork) {
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, fork);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int suite_run(Suite *suite) { return suite_run_as(suite, CK_FORK_GETENV); }
