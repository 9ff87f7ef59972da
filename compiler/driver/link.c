// SPDX-License-Identifier: Apache-2.0
// Linking shared libraries, by running the system's C compiler.
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "driver.h"

extern char **environ;

// The static runtime: beside the compiler in its build folder, or where both were installed.
static Str find_runtime(Session *session) {
  static const char *const places[] = {"", "../" PALLASC_LIBDIR "/", "../lib/"};
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return STR("");
  while (length > 0 && self[length - 1] != '/') length--;
  for (size_t i = 0; i < COUNT_OF(places); i++) {
    Str path = str_format(session->arena, "%.*s%slibpallasrt.a", (int)length, self, places[i]);
    if (access(path.data, R_OK) == 0) return path;
  }
  return STR("");
}

// Runs a command. Its exit status, or -1 with errno if it could not be started.
static int run_command(const char *const *command) {
  pid_t child;
  int error = posix_spawnp(&child, command[0], NULL, NULL, (char *const *)command, environ);
  if (error) {
    errno = error;
    return -1;
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The words of CC, or cc.
static void put_compiler(Session *session, const char *text, size_t room, const char **words,
                         size_t *count) {
  while (*text && *count < room) {
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t");
    if (length) words[(*count)++] = str_copy(session->arena, (Str){text, length}).data;
    text += length;
  }
}

int link_shared(Session *session, size_t count, const Str *objects, Str output, Str name) {
  Str runtime = find_runtime(session);
  if (!runtime.len) {
    diag_error(session, (Span){0},
               "cannot link: the runtime library, libpallasrt.a, is not beside pallasc and not in "
               "its lib folder");
    return STATUS_MACHINE;
  }
  enum { FIXED = 40, COMPILER = 20 };
  const char **words = ARENA_ARRAY(session->arena, const char *, FIXED + count);
  size_t n = 0;
  const char *chosen = getenv("CC");
  put_compiler(session, chosen && *chosen ? chosen : "cc", COMPILER, words, &n);
  const char *compiler = n ? words[0] : "cc";
  words[n++] = "-shared";
  words[n++] = "-o";
  words[n++] = output.data;
  for (size_t i = 0; i < count; i++) words[n++] = objects[i].data;
  words[n++] = "-Wl,--whole-archive";
  words[n++] = runtime.data;
  words[n++] = "-Wl,--no-whole-archive";
  // Worker threads outlive calls: the library must stay mapped even after dlclose.
  words[n++] = "-Wl,-z,nodelete";
  if (name.len) words[n++] = str_format(session->arena, "-Wl,-soname,%.*s", STR_FMT(name)).data;
  words[n++] = "-lpthread";
  words[n++] = "-lm";
  int status = run_command(words);
  if (status == 0) return STATUS_DONE;
  if (status < 0)
    diag_error(session, (Span){0},
               "cannot link: '%s' cannot be run: %s; CC may name another C compiler", compiler,
               strerror(errno));
  else
    diag_error(session, (Span){0}, "cannot link: '%s' failed with exit status %d", compiler,
               status);
  return STATUS_MACHINE;
}
