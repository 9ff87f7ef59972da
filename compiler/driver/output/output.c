// SPDX-License-Identifier: Apache-2.0
// Files that appear together: each is written under a temporary name beside its own, then all are
// renamed. What asks the process to end waits meanwhile, so that no temporary file is left.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "interrupt.h"
#include "output.h"
#include "path.h"

enum { MAX_TRIES = 100 };

typedef struct Output {
  Str path;      // as the user gave it, for messages
  Str target;    // with symbolic links followed
  Str temporary; // "" if there is none
  Str text;
  bool direct;   // standard output, a device, a pipe
  bool external; // written by another program
  bool renamed;
  FILE *piped; // where the session has what is for standard output
  int fd;      // of a direct one, while it is written
} Output;

struct Outputs {
  Session *session;
  VEC(Output) items;
  VEC(Str) scratch;
};

Outputs *outputs_new(Session *session) {
  Outputs *outputs = ARENA_NEW(session->arena, Outputs);
  outputs->session = session;
  return outputs;
}

bool output_flush(Session *session) {
  int error = fflush(session->out) ? errno : 0;
  if (!error && !ferror(session->out)) return true; // the reason of an earlier one is not known
  diag_error(session, (Span){0}, "cannot write to standard output%s%s", error ? ": " : "",
             error ? strerror(error) : "");
  clearerr(session->out); // it is reported once
  return false;
}

static Output *add(Outputs *outputs, Str path) {
  Arena *arena = outputs->session->arena;
  Output output = {.path = path, .fd = -1};
  output.direct = path_is_stdout(path) || path_is_stream(arena, path);
  if (path_is_stdout(path)) output.piped = outputs->session->piped;
  output.target = output.direct ? path : path_real(arena, path); // a pipe has no real path
  VEC_PUSH(arena, &outputs->items, output);
  return &outputs->items.items[outputs->items.count - 1];
}

void outputs_add(Outputs *outputs, Str path, Str text) { add(outputs, path)->text = text; }

static bool failed(Outputs *outputs, Str path, int error) {
  if (path_is_stdout(path))
    diag_error(outputs->session, (Span){0}, "cannot write to standard output: %s", strerror(error));
  else
    diag_error(outputs->session, (Span){0}, "cannot write '%.*s': %s", STR_FMT(path),
               strerror(error));
  return false;
}

// ---- outputs that are one file ------------------------------------------------------------------
static bool has_identity(Str path, struct stat *st) { return stat(path.data, st) == 0; }

// Devices take several outputs; standard output takes one.
static bool are_one_file(const Output *a, const Output *b) {
  struct stat x, y;
  if (a->direct || b->direct) return path_is_stdout(a->path) && path_is_stdout(b->path);
  if (str_equal(a->target, b->target)) return true;
  return has_identity(a->target, &x) && has_identity(b->target, &y) && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

static bool is_another(Outputs *outputs, size_t which) {
  const Output *output = &outputs->items.items[which];
  for (size_t i = 0; i < which; i++) {
    const Output *other = &outputs->items.items[i];
    if (!are_one_file(output, other)) continue;
    diag_error(outputs->session, (Span){0}, "the outputs '%.*s' and '%.*s' are the same file",
               STR_FMT(other->path), STR_FMT(output->path));
    return true;
  }
  return false;
}

// An output must not replace a file that was compiled.
static bool is_source(Outputs *outputs, const Output *output) {
  struct stat mine, other;
  if (output->direct || !has_identity(output->target, &mine)) return false;
  for (size_t i = 0; i < outputs->session->files.count; i++) {
    const SourceFile *file = outputs->session->files.items[i];
    if (file->is_builtin || !has_identity(str_copy(outputs->session->arena, file->path), &other))
      continue;
    if (mine.st_dev != other.st_dev || mine.st_ino != other.st_ino) continue;
    diag_error(outputs->session, (Span){0}, "the output '%.*s' would replace the source '%.*s'",
               STR_FMT(output->path), STR_FMT(file->path));
    return true;
  }
  return false;
}

int outputs_check(Outputs *outputs) {
  for (size_t i = 0; i < outputs->items.count; i++)
    if (is_another(outputs, i) || is_source(outputs, &outputs->items.items[i])) return STATUS_USAGE;
  return STATUS_DONE;
}

// ---- temporary files ----------------------------------------------------------------------------
// Creates an empty file whose name begins with `head`. -1 with errno if it cannot be.
static int create_temporary(Arena *arena, Str head, Str *name) {
  for (int i = 0; i < MAX_TRIES; i++) {
    *name = str_format(arena, "%.*s.%ld-%d.tmp", STR_FMT(head), (long)getpid(), i);
    int fd = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

bool output_can_be(Session *session, Str path) {
  Str target = path_is_stdout(path) ? path : path_real(session->arena, path), folder = target;
  if (path_is_stdout(path)) return true;
  while (folder.len && folder.data[folder.len - 1] != '/') folder.len--;
  const char *above = folder.len ? str_copy(session->arena, folder).data : ".";
  bool exists = access(target.data, F_OK) == 0;
  struct stat st;
  int error = exists && stat(target.data, &st) == 0 && S_ISDIR(st.st_mode) ? EISDIR : 0;
  if (!error && access(exists ? target.data : above, W_OK)) error = errno;
  if (!error) return true;
  diag_error(session, (Span){0}, "cannot write '%.*s': %s", STR_FMT(path), strerror(error));
  return false;
}

Str outputs_reserve(Outputs *outputs, Str path) {
  Output *output = add(outputs, path);
  output->external = true;
  if (output->direct) return output->target;
  int fd = create_temporary(outputs->session->arena, output->target, &output->temporary);
  if (fd < 0) {
    output->temporary = STR("");
    failed(outputs, output->path, errno);
    return STR("");
  }
  close(fd);
  return output->temporary;
}

bool output_write_all(int fd, Str text) {
  for (size_t done = 0; done < text.len;) {
    ssize_t n = write(fd, text.data + done, text.len - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    done += (size_t)n;
  }
  return true;
}

// Closes the file too. 0, or the error.
static int write_and_close(int fd, Str text) {
  int error = output_write_all(fd, text) ? 0 : errno;
  if (close(fd) && !error) error = errno;
  return error;
}

Str outputs_scratch(Outputs *outputs, Str text) {
  Arena *arena = outputs->session->arena;
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  Str name, head = str_format(arena, "%s/pallasc", folder);
  int fd = create_temporary(arena, head, &name);
  int error = fd < 0 ? errno : 0;
  if (fd >= 0) {
    VEC_PUSH(arena, &outputs->scratch, name);
    error = write_and_close(fd, text);
  }
  if (!error) return name;
  diag_error(outputs->session, (Span){0},
             "cannot write temporary files to '%s': %s; TMPDIR names another folder", folder,
             strerror(error));
  return STR("");
}

static bool write_temporary(Outputs *outputs, Output *output) {
  int fd = create_temporary(outputs->session->arena, output->target, &output->temporary);
  if (fd < 0) output->temporary = STR("");
  int error = fd < 0 ? errno : write_and_close(fd, output->text);
  return error ? failed(outputs, output->path, error) : true;
}

// ---- direct outputs -----------------------------------------------------------------------------
// A pipe may wait here for its reader: nothing is held back yet.
static bool open_direct(Outputs *outputs, Output *output) {
  if (path_is_stdout(output->path)) {
    if (fflush(stdout) == 0) output->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else {
    output->fd = open(output->target.data, O_WRONLY | O_CLOEXEC);
  }
  return output->fd >= 0 ? true : failed(outputs, output->path, errno);
}

// In pieces that a pipe takes whole once it takes any.
static bool write_direct(Outputs *outputs, Output *output, const Interrupt *held) {
  int error = 0;
  for (size_t done = 0; done < output->text.len && !error;) {
    size_t left = output->text.len - done;
    Str piece = {output->text.data + done, left < PIPE_BUF ? left : PIPE_BUF};
    if (!interrupt_wait_writable(held, output->fd)) return false;
    if (!output_write_all(output->fd, piece)) error = errno;
    done += piece.len;
  }
  if (close(output->fd) && !error) error = errno;
  output->fd = -1;
  return error ? failed(outputs, output->path, error) : true;
}

// ---- all of them --------------------------------------------------------------------------------
static void remove_scratch(Outputs *outputs) {
  for (size_t i = 0; i < outputs->scratch.count; i++) unlink(outputs->scratch.items[i].data);
  outputs->scratch.count = 0;
}

void outputs_drop(Outputs *outputs) {
  for (size_t i = 0; i < outputs->items.count; i++) {
    Output *output = &outputs->items.items[i];
    if (output->fd >= 0) close(output->fd);
    if (output->renamed)
      unlink(output->target.data);
    else if (output->temporary.len)
      unlink(output->temporary.data);
    output->temporary = STR("");
    output->renamed = false;
    output->fd = -1;
  }
  remove_scratch(outputs);
}

static int write_outputs(Outputs *outputs, const Interrupt *held) {
  Output *items = outputs->items.items;
  size_t count = outputs->items.count;
  for (size_t i = 0; i < count; i++)
    if (!items[i].direct && !items[i].external && !write_temporary(outputs, &items[i]))
      return STATUS_MACHINE;
  for (size_t i = 0; i < count; i++)
    if (items[i].piped) fwrite(items[i].text.data, 1, items[i].text.len, items[i].piped);
  for (size_t i = 0; i < count; i++)
    if (items[i].fd >= 0 && !write_direct(outputs, &items[i], held)) return STATUS_MACHINE;
  if (interrupt_came(held)) return STATUS_MACHINE;
  for (size_t i = 0; i < count; i++) {
    if (items[i].direct) continue;
    if (rename(items[i].temporary.data, items[i].target.data)) {
      failed(outputs, items[i].path, errno);
      return STATUS_MACHINE;
    }
    items[i].renamed = true;
  }
  return STATUS_DONE;
}

static int open_and_write(Outputs *outputs) {
  for (size_t i = 0; i < outputs->items.count; i++) {
    Output *output = &outputs->items.items[i];
    if (output->direct && !output->external && !output->piped && !open_direct(outputs, output))
      return STATUS_MACHINE;
  }
  Interrupt held;
  interrupt_hold(&held);
  int status = write_outputs(outputs, &held);
  if (status) outputs_drop(outputs);
  interrupt_release(&held);
  return status;
}

int outputs_write(Outputs *outputs) {
  int status = outputs_check(outputs);
  if (!status) status = open_and_write(outputs);
  if (status)
    outputs_drop(outputs);
  else
    remove_scratch(outputs);
  return status;
}
