// SPDX-License-Identifier: Apache-2.0
// What subprocess.pk asks of the system: starting a program whose input and output are files, and
// waiting for it.
#define _GNU_SOURCE
#include "base/buf.h"
#include "std_files.h"
#include "python/builtins/builtin_float.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/text/builtin_bytes.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/iteration.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static char **take_texts(Eval *ev, Value list) {
  const Tuple *items = value_to_tuple(ev, list);
  char **texts = ARENA_ARRAY(ev->arena, char *, items->count + 1);
  for (size_t i = 0; i < items->count; i++) {
    Str text = take_bytes(ev, items->items[i]);
    if (memchr(text.data, 0, text.len)) eval_raise(ev, ev->types.ValueError, "embedded null byte");
    texts[i] = ARENA_ARRAY(ev->arena, char, text.len + 1);
    memcpy(texts[i], text.data, text.len);
  }
  return texts;
}

// A file without a name that holds this; -1 with errno.
static int file_of(Str text) {
  FILE *file = tmpfile();
  int number = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
  bool is_there = !text.len || (file && fwrite(text.data, 1, text.len, file) == text.len);
  bool good = number >= 0 && is_there && !fflush(file);
  int error = errno;
  if (file) fclose(file);
  if (good) {
    lseek(number, 0, SEEK_SET);
    return number;
  }
  if (number >= 0) close(number);
  errno = error;
  return -1;
}

// What the new program has as its input, output or errors.
typedef enum Stream { STREAM_SAME, STREAM_FILE, STREAM_AS_OUTPUT, STREAM_NONE } Stream;

// -1: it has no file; -2: none could be made.
static int open_stream(posix_spawn_file_actions_t *actions, int at, Stream stream, Str text) {
  int file = stream == STREAM_FILE ? file_of(text) : -1;
  if (stream == STREAM_FILE && file < 0) return -2;
  if (stream == STREAM_FILE) posix_spawn_file_actions_adddup2(actions, file, at);
  if (stream == STREAM_AS_OUTPUT) posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, at);
  if (stream == STREAM_NONE)
    posix_spawn_file_actions_addopen(actions, at, "/dev/null", at ? O_WRONLY : O_RDONLY, 0);
  return file;
}

// A thread of ours waits for what is blocked here (interrupt.c); the new program has none.
static void unblock_signals(posix_spawnattr_t *attributes) {
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_init(attributes);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

static void close_files(const int files[3]) {
  for (int i = 0; i < 3; i++)
    if (files[i] >= 0) close(files[i]);
}

static Value native_start(Eval *ev, Value *a) { // args, cwd, env, streams, given
  char **args = take_texts(ev, a[0]);
  if (!ev->options.run)
    raise_os(ev, EACCES, "a program that is compiled starts no others; 'pallasc run' does",
             args[0]);
  char **env = v_is_none(a[2]) ? environ : take_texts(ev, a[2]);
  const Tuple *streams = value_to_tuple(ev, a[3]);
  Str given = take_bytes(ev, a[4]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!v_is_none(a[1]))
    posix_spawn_file_actions_addchdir_np(&actions, str_copy(ev->arena, take_bytes(ev, a[1])).data);
  int files[3] = {-1, -1, -1}, failed = 0;
  for (int i = 0; i < 3 && !failed; i++) {
    Stream stream = (Stream)take_int(ev, streams->items[i], "stream");
    files[i] = open_stream(&actions, i, stream, i ? (Str){0} : given);
    if (files[i] == -2) failed = errno;
  }
  if (failed) {
    posix_spawn_file_actions_destroy(&actions);
    close_files(files);
    raise_errno(ev, failed, "a temporary file");
  }
  fflush(ev->out);
  pid_t pid = -1;
  posix_spawnattr_t attributes;
  unblock_signals(&attributes);
  int error = posix_spawnp(&pid, args[0], &actions, &attributes, args, env);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (files[0] >= 0) close(files[0]);
  files[0] = -1;
  if (error) close_files(files);
  if (error) raise_errno(ev, error, args[0]);
  return make_tuple(ev, 3, (Value[]){v_int(pid), v_int(files[1]), v_int(files[2])});
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// The exit status, minus the signal that ended it, or None if it goes on for so many seconds.
static Value native_wait(Eval *ev, Value *a) {
  enum { SHORTEST_NS = 50000, LONGEST_NS = 10000000 };
  pid_t pid = (pid_t)take_int(ev, a[0], "pid");
  double end = v_is_none(a[1]) ? 1e300 : now() + take_real(ev, a[1]);
  int status;
  for (long pause = SHORTEST_NS;; pause = pause < LONGEST_NS ? pause * 2 : pause) {
    pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) break;
    if (ended < 0 && errno != EINTR) raise_errno(ev, errno, "waitpid");
    if (ev->is_interrupted) eval_step(ev);
    if (now() >= end) return v_none();
    nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
  }
  return v_int(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
}

// What the program has written to one of its files, from so many bytes on.
static Value native_read(Eval *ev, Value *a) {
  int file = (int)take_int(ev, a[0], "file");
  off_t at = (off_t)take_index64(ev, a[1]);
  Buf buf;
  buf_init(&buf, ev->arena);
  char piece[4096];
  for (ssize_t got; (got = pread(file, piece, sizeof piece, at)) > 0; at += got)
    buf_str(&buf, (Str){piece, (size_t)got});
  return make_bytes(ev, buf_view(&buf));
}

static Value native_close(Eval *ev, Value *a) {
  close((int)take_int(ev, a[0], "file"));
  return v_none();
}

static Value native_kill(Eval *ev, Value *a) {
  pid_t pid = (pid_t)take_int(ev, a[0], "pid");
  if (kill(pid, (int)take_int(ev, a[1], "signal")) && errno != ESRCH) // it has just ended
    raise_errno(ev, errno, "kill");
  return v_none();
}

static Value native_strerror(Eval *ev, Value *a) {
  return make_str_c(ev, strerror((int)take_int(ev, a[0], "code")));
}

// At once: nothing is written out, and no handler runs.
static Value native_leave(Eval *ev, Value *a) { _exit((int)take_int(ev, a[0], "status")); }

static const NativeDef natives[] = {
    {"strerror(code)", native_strerror},
    {"leave(status)", native_leave},
    {"start(args, cwd, env, streams, given)", native_start},
    {"wait(pid, seconds)", native_wait},
    {"read(file, start)", native_read},
    {"close(file)", native_close},
    {"kill(pid, signal)", native_kill},
    {NULL, NULL},
};

const ModuleDef module_processes = {.name = "_processes", .functions = natives};
