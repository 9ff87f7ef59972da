// SPDX-License-Identifier: Apache-2.0
// Files that appear together: each is written under a temporary name beside its own, then all are
// renamed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "driver.h"

enum { MAX_TRIES = 100 };

typedef struct Output {
  Str path;      // as the user gave it, for messages
  Str target;    // with symbolic links followed
  Str temporary; // "" if it is written directly
  Str text;
  bool direct;   // standard output, a device, a pipe
  bool external; // written by another program
  bool renamed;
} Output;

struct Outputs {
  Session *session;
  VEC(Output) items;
};

Outputs *outputs_new(Session *session) {
  Outputs *outputs = ARENA_NEW(session->arena, Outputs);
  outputs->session = session;
  return outputs;
}

static bool is_stdout(Str path) { return str_equal(path, STR("-")); }

// What the path names once symbolic links are followed; the path itself if there is nothing yet.
static Str follow(Arena *arena, Str path) {
  char *real = realpath(str_copy(arena, path).data, NULL);
  if (!real) return str_copy(arena, path);
  Str target = str_copy(arena, str_from_c(real));
  free(real);
  return target;
}

static Output *add(Outputs *outputs, Str path) {
  Arena *arena = outputs->session->arena;
  Output output = {.path = path};
  struct stat st;
  output.direct = is_stdout(path) || (stat(str_copy(arena, path).data, &st) == 0 &&
                                      !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
  output.target = is_stdout(path) ? path : follow(arena, path);
  VEC_PUSH(arena, &outputs->items, output);
  return &outputs->items.items[outputs->items.count - 1];
}

void outputs_add(Outputs *outputs, Str path, Str text) { add(outputs, path)->text = text; }

// Creates an empty file beside `target`. -1 with errno if it cannot be.
static int create_temporary(Arena *arena, Str target, Str *name) {
  for (int i = 0; i < MAX_TRIES; i++) {
    *name = str_format(arena, "%.*s.%ld-%d.tmp", STR_FMT(target), (long)getpid(), i);
    int fd = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static bool failed(Outputs *outputs, const Output *output, int error) {
  diag_error(outputs->session, (Span){0}, "cannot write '%.*s': %s", STR_FMT(output->path),
             strerror(error));
  return false;
}

Str outputs_reserve(Outputs *outputs, Str path) {
  Output *output = add(outputs, path);
  output->external = true;
  if (output->direct) return output->target;
  int fd = create_temporary(outputs->session->arena, output->target, &output->temporary);
  if (fd < 0) {
    failed(outputs, output, errno);
    return STR("");
  }
  close(fd);
  return output->temporary;
}

static bool write_all(int fd, Str text) {
  for (size_t done = 0; done < text.len;) {
    ssize_t n = write(fd, text.data + done, text.len - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    done += (size_t)n;
  }
  return true;
}

static bool write_temporary(Outputs *outputs, Output *output) {
  int fd = create_temporary(outputs->session->arena, output->target, &output->temporary);
  if (fd < 0) {
    output->temporary = STR("");
    return failed(outputs, output, errno);
  }
  int error = write_all(fd, output->text) ? 0 : errno;
  if (close(fd) && !error) error = errno;
  return error ? failed(outputs, output, error) : true;
}

static bool write_direct(Outputs *outputs, const Output *output) {
  if (is_stdout(output->path)) {
    if (fflush(stdout) == 0 && write_all(STDOUT_FILENO, output->text)) return true;
    return failed(outputs, output, errno);
  }
  int fd = open(output->target.data, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return failed(outputs, output, errno);
  int error = write_all(fd, output->text) ? 0 : errno;
  if (close(fd) && !error) error = errno;
  return error ? failed(outputs, output, error) : true;
}

// An output must not replace a file that was compiled.
static bool is_source(Outputs *outputs, const Output *output) {
  struct stat mine, other;
  if (output->direct || stat(output->target.data, &mine)) return false;
  for (size_t i = 0; i < outputs->session->files.count; i++) {
    const SourceFile *file = outputs->session->files.items[i];
    if (file->is_builtin || stat(str_copy(outputs->session->arena, file->path).data, &other))
      continue;
    if (mine.st_dev != other.st_dev || mine.st_ino != other.st_ino) continue;
    diag_error(outputs->session, (Span){0}, "the output '%.*s' would replace the source '%.*s'",
               STR_FMT(output->path), STR_FMT(file->path));
    return true;
  }
  return false;
}

void outputs_drop(Outputs *outputs) {
  for (size_t i = 0; i < outputs->items.count; i++) {
    Output *output = &outputs->items.items[i];
    if (output->renamed)
      unlink(output->target.data);
    else if (output->temporary.len)
      unlink(output->temporary.data);
    output->temporary = STR("");
    output->renamed = false;
  }
}

static int write_outputs(Outputs *outputs) {
  Output *items = outputs->items.items;
  size_t count = outputs->items.count;
  for (size_t i = 0; i < count; i++)
    if (is_source(outputs, &items[i])) return STATUS_USAGE;
  for (size_t i = 0; i < count; i++)
    if (!items[i].direct && !items[i].external && !write_temporary(outputs, &items[i]))
      return STATUS_MACHINE;
  for (size_t i = 0; i < count; i++)
    if (items[i].direct && !items[i].external && !write_direct(outputs, &items[i]))
      return STATUS_MACHINE;
  for (size_t i = 0; i < count; i++) {
    if (items[i].direct) continue;
    if (rename(items[i].temporary.data, items[i].target.data)) {
      failed(outputs, &items[i], errno);
      return STATUS_MACHINE;
    }
    items[i].renamed = true;
  }
  return STATUS_DONE;
}

int outputs_write(Outputs *outputs) {
  int status = write_outputs(outputs);
  if (status) outputs_drop(outputs);
  return status;
}
