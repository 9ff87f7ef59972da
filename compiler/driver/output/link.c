// SPDX-License-Identifier: Apache-2.0
// Linking, by running the system's C compiler. In: objects in files. Out: a shared library.
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "driver/installed.h"
#include "link.h"

extern char **environ;

// The static runtime: beside the compiler in its build folder, or where both were installed.
static Str find_runtime(Session *session) {
  static const char *const places[] = {"libpallasrt.a", "../" PALLASC_LIBDIR "/libpallasrt.a",
                                       "../lib/libpallasrt.a"};
  return installed_find(session, COUNT_OF(places), places);
}

// Runs a command. Its exit status, or -1 with errno if it could not be started.
static int run_command(const Interrupt *held, char *const *command) {
  pid_t child;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setsigmask(&attributes, &held->before);
  int error = posix_spawnp(&child, command[0], NULL, &attributes, command, environ), status;
  posix_spawnattr_destroy(&attributes);
  if (error) {
    errno = error;
    return -1;
  }
  if (interrupt_wait_child(held, child, SIGTERM, &status)) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

typedef struct CompilerCall {
  Arena *arena;
  VEC(char *) words; // NULL at the end
} CompilerCall;

static void add_word(CompilerCall *c, Str word) {
  char *copy = ARENA_ARRAY(c->arena, char, word.len + 1);
  memcpy(copy, word.data, word.len);
  copy[word.len] = '\0';
  VEC_PUSH(c->arena, &c->words, copy);
}

// The words of CC, or cc.
static void add_compiler(CompilerCall *c, const char *text) {
  while (*text) {
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t");
    if (length) add_word(c, (Str){text, length});
    text += length;
  }
  if (c->words.count == 0) add_word(c, STR("cc"));
}

int link_shared(Session *session, const Interrupt *held, size_t count, const Str *objects,
                Str output, Str name) {
  Str runtime = find_runtime(session);
  if (!runtime.len) {
    diag_error(session, (Span){0},
               "cannot link: the runtime library, libpallasrt.a, is not beside pallasc and not in "
               "its lib folder");
    return STATUS_MACHINE;
  }
  CompilerCall c = {.arena = session->arena};
  const char *chosen = getenv("CC");
  add_compiler(&c, chosen ? chosen : "");
  add_word(&c, STR("-shared"));
  add_word(&c, STR("-o"));
  add_word(&c, output);
  for (size_t i = 0; i < count; i++) add_word(&c, objects[i]);
  add_word(&c, STR("-Wl,--whole-archive"));
  add_word(&c, runtime);
  add_word(&c, STR("-Wl,--no-whole-archive"));
  // Worker threads outlive calls: the library must stay mapped even after dlclose.
  add_word(&c, STR("-Wl,-z,nodelete"));
  add_word(&c, str_format(session->arena, "-Wl,-soname,%.*s", STR_FMT(name)));
  add_word(&c, STR("-lpthread"));
  add_word(&c, STR("-lm"));
  VEC_PUSH(session->arena, &c.words, NULL);
  int status = run_command(held, c.words.items);
  if (status == 0) return STATUS_DONE;
  if (interrupt_came(held)) return STATUS_MACHINE;
  if (status < 0)
    diag_error(session, (Span){0},
               "cannot link: '%s' cannot be run: %s; CC may name another C compiler",
               c.words.items[0], strerror(errno));
  else
    diag_error(session, (Span){0}, "cannot link: '%s' failed with exit status %d", c.words.items[0],
               status);
  return STATUS_MACHINE;
}
