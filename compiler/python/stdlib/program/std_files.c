// SPDX-License-Identifier: Apache-2.0
// Files for io.pk and os.pk: descriptors, and which paths a program may use. Those are the folder
// that the program lies in and the folder that it is run in, with what is below; a program that is
// compiled may read there, and what it reads is a dependency.
#define _GNU_SOURCE
#include "std_files.h"
#include "base/buf.h"
#include "base/collected.h"
#include "python/builtins/builtin_float.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/text/builtin_text.h"
#include "python/modules/module.h"
#include "python/values/builtin_state.h"
#include "python/values/bytes_like.h"
#include "python/objects/mapping.h"
#include "python/values/dict.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/objects/type_lookup.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

// ---- errors -------------------------------------------------------------------------------------
void raise_os(Eval *ev, int error, const char *text, const char *path) {
  Value args[] = {v_int(error), make_str_c(ev, text), make_str_c(ev, path ? path : "")};
  eval_raise_value(ev, value_call_n(ev, v_object(ev->types.OSError), path ? 3 : 2, args));
}

void raise_errno(Eval *ev, int error, const char *path) {
  raise_os(ev, error, strerror(error), path);
}

// ---- which paths --------------------------------------------------------------------------------
static bool is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strcmp(folder, "/") != 0 && strncmp(path, folder, length) == 0 &&
         (path[length] == '/' || path[length] == 0);
}

// The folder of a path without symbolic links, with the path's own name.
static bool resolve_entry(const char *path, char *out) {
  char folder[PATH_MAX];
  size_t length = strlen(path), slash = length;
  while (slash > 0 && path[slash - 1] != '/') slash--;
  if (length >= sizeof folder || slash == length) {
    errno = ENOENT;
    return false;
  }
  memcpy(folder, path, slash);
  folder[slash] = 0;
  if (!realpath(slash ? folder : ".", out)) return false;
  size_t used = strlen(out);
  if (used + 1 + (length - slash) >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (out[used - 1] != '/') out[used++] = '/';
  memcpy(out + used, path + slash, length - slash + 1);
  return true;
}

// The path without symbolic links; of one that is not there yet, its folder's with its name.
static bool resolve(const char *path, char *out) {
  struct stat info;
  if (realpath(path, out)) return true;
  if (errno != ENOENT) return false;
  if (lstat(path, &info) == 0) {
    errno = ENOENT; // a link to nothing
    return false;
  }
  return resolve_entry(path, out);
}

// The folder of the program, without symbolic links; false if it lies in none: standard input.
static bool program_folder(const Eval *ev, char *out) {
  if (!ev->main || !ev->main->file) return false;
  Str path = ev->main->file->path;
  if (path.len >= PATH_MAX || str_equal(path, STR("-")) || str_starts_with(path, STR("<")))
    return false;
  char file[PATH_MAX];
  memcpy(file, path.data, path.len);
  file[path.len] = 0;
  if (!resolve(file, out)) return false;
  char *slash = strrchr(out, '/');
  slash[slash == out ? 1 : 0] = 0;
  return true;
}

static void keep_folder(Eval *ev, const char *folder) {
  if (!ev->builtin->own_folders) ev->builtin->own_folders = list_new(ev, 0);
  list_push(ev, ev->builtin->own_folders, make_str_c(ev, folder));
}

// Whether a path without symbolic links lies in a temporary folder that the program made, or in one
// that it was run in.
static bool is_temporary(const Eval *ev, const char *path) {
  const List *folders = ev->builtin->own_folders;
  for (size_t i = 0; folders && i < folders->count; i++) {
    Str folder;
    if (value_as_str(folders->items[i], &folder) && is_below(path, folder.data)) return true;
  }
  return false;
}

typedef struct OwnFolders {
  char program[PATH_MAX], here[PATH_MAX];
  bool has_program, has_here;
} OwnFolders;

static void own_folders(const Eval *ev, OwnFolders *own) {
  own->has_program = program_folder(ev, own->program);
  own->has_here = getcwd(own->here, sizeof own->here) != NULL;
}

static bool is_own(const Eval *ev, const OwnFolders *own, const char *path) {
  return (own->has_program && is_below(path, own->program)) ||
         (own->has_here && is_below(path, own->here)) || is_temporary(ev, path);
}

static void demand_own_by(Eval *ev, const char *path, bool (*find)(const char *, char *)) {
  char real[PATH_MAX];
  OwnFolders own;
  own_folders(ev, &own);
  if (!find(path, real)) {
    int error = errno;
    // A folder that is missing is none of the program's own, unless it is named below them.
    if (path[0] == '/' && !is_own(ev, &own, path)) error = EACCES;
    if (error != EACCES) raise_errno(ev, error, path);
  } else if (is_own(ev, &own, real)) {
    return;
  }
  const char *folder = own.has_program ? own.program
                       : own.has_here  ? own.here
                                       : "the one it is run in";
  Str text = str_format(ev->arena,
                        "a program may use files of its own folder only, %s, and of the one that "
                        "it is run in",
                        folder);
  raise_os(ev, EACCES, text.data, path);
}

static void demand_own(Eval *ev, const char *path) { demand_own_by(ev, path, resolve); }

// Of a link itself, wherever it points.
static void demand_own_entry(Eval *ev, const char *path) { demand_own_by(ev, path, resolve_entry); }

static void demand_writable(Eval *ev, const char *path) {
  if (!ev->options.run)
    raise_os(ev, EACCES, "a program that is compiled writes no files; 'pallasc run' does", path);
}

static const char *take_path_text(Eval *ev, Value v) {
  Str text = take_str(ev, v, "path");
  if (memchr(text.data, 0, text.len)) eval_raise(ev, ev->types.ValueError, "embedded null byte");
  return str_copy(ev->arena, text).data;
}

// ---- descriptors --------------------------------------------------------------------------------
// What is read decides what is compiled: the dependency file names it.
static void note_dependency(Eval *ev, const char *path) {
  Session *session = ev->session;
  Str name = str_from_c(path);
  for (size_t i = 0; i < session->files.count; i++)
    if (str_equal(session->files.items[i]->path, name)) return;
  source_add(session, name, STR(""), false);
}

static int take_fd(Eval *ev, Value v) {
  int64_t fd = take_index64(ev, v);
  return fd < 0 || fd > INT_MAX ? -1 : (int)fd;
}

// ---- files that nothing refers to are closed ----------------------------------------------------
typedef struct KeptFile {
  int fd;
  ArenaWeak *file;
} KeptFile;

struct KeptFiles {
  VEC(KeptFile) open;
  size_t most; // so many are open before what is unreachable is looked for
};

enum { FEWEST_KEPT = 64 };

static void close_unreachable(struct KeptFiles *kept) {
  size_t left = 0;
  for (size_t i = 0; i < kept->open.count; i++) {
    KeptFile entry = kept->open.items[i];
    if (entry.file->object)
      kept->open.items[left++] = entry;
    else
      close(entry.fd);
  }
  kept->open.count = left;
}

static void collect_files(Eval *ev) {
  struct KeptFiles *kept = ev->builtin->kept_files;
  if (!kept) return;
  arena_collect(ev->arena);
  close_unreachable(kept);
  kept->most = kept->open.count > FEWEST_KEPT / 2 ? 2 * kept->open.count : FEWEST_KEPT;
}

// The descriptor is closed when the object is unreachable.
static Value files_keep(Eval *ev, Value *a) {
  if (!ev->builtin->kept_files) {
    ev->builtin->kept_files = ARENA_NEW(ev->arena, struct KeptFiles);
    ev->builtin->kept_files->most = FEWEST_KEPT;
  }
  struct KeptFiles *kept = ev->builtin->kept_files;
  if (kept->open.count >= kept->most) collect_files(ev);
  VEC_PUSH(ev->arena, &kept->open, ((KeptFile){take_fd(ev, a[0]), arena_weak(ev->arena, a[1].o)}));
  return v_none();
}

static void forget_file(const Eval *ev, int fd) {
  struct KeptFiles *kept = ev->builtin->kept_files;
  for (size_t i = kept ? kept->open.count : 0; i > 0; i--) {
    if (kept->open.items[i - 1].fd != fd) continue;
    kept->open.items[i - 1] = kept->open.items[--kept->open.count];
    return;
  }
}

// What the system tells every process of itself and of the machine.
static bool is_account(const Eval *ev, const char *path) {
  static const char *const names[] = {"self/status", "self/statm", "self/stat", "meminfo",
                                      "cpuinfo",     "loadavg",    "uptime"};
  if (!ev->options.run || strncmp(path, "/proc/", 6) != 0) return false;
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(path + 6, names[i]) == 0) return true;
  return false;
}

// kind: one of r, w, a, x; update: '+'.
static Value files_open(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  Str kind = take_str(ev, a[1], "mode");
  bool update = value_truth(ev, a[2]), reads = kind.data[0] == 'r';
  if (reads && access(path, F_OK) != 0 && errno == ENOENT) raise_errno(ev, ENOENT, path);
  bool is_public = strcmp(path, "/dev/null") == 0 || (reads && !update && is_account(ev, path));
  if (!is_public) demand_own(ev, path);
  if (!reads || update) demand_writable(ev, path);
  int flags = O_CLOEXEC | (update ? O_RDWR : reads ? O_RDONLY : O_WRONLY);
  if (kind.data[0] == 'w') flags |= O_CREAT | O_TRUNC;
  if (kind.data[0] == 'a') flags |= O_CREAT | O_APPEND;
  if (kind.data[0] == 'x') flags |= O_CREAT | O_EXCL;
  int fd = open(path, flags, 0666);
  if (fd < 0 && errno == EMFILE) {
    collect_files(ev);
    fd = open(path, flags, 0666);
  }
  if (fd < 0) raise_errno(ev, errno, path);
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    close(fd);
    raise_errno(ev, EISDIR, path);
  }
  if (!ev->options.run) note_dependency(ev, path);
  return v_int(fd);
}

// Bytes from where the descriptor is; all that are left if count is negative.
static Value files_read(Eval *ev, Value *a) {
  int fd = take_fd(ev, a[0]);
  int64_t count = take_index64(ev, a[1]);
  Buf buf;
  buf_init(&buf, ev->arena);
  char piece[1 << 14];
  while (count < 0 || (int64_t)buf.len < count) {
    size_t want = sizeof piece;
    if (count >= 0 && count - (int64_t)buf.len < (int64_t)want)
      want = (size_t)(count - (int64_t)buf.len);
    ssize_t got = read(fd, piece, want);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) raise_errno(ev, errno, NULL);
    if (got == 0) break;
    buf_str(&buf, (Str){piece, (size_t)got});
  }
  return make_bytes(ev, buf_view(&buf));
}

// Bytes that are there, or the first that come; none at the end.
static Value files_take(Eval *ev, Value *a) {
  int fd = take_fd(ev, a[0]);
  if (!ev->options.run)
    eval_raise(ev, ev->types.NotImplementedError,
               "'sys.stdin' is not supported: a compiler asks nobody");
  fflush(ev->out);
  enum { PIECE_MS = 20 }; // an interrupt is an exception at the next step
  struct pollfd wanted = {.fd = fd, .events = POLLIN};
  while (poll(&wanted, 1, PIECE_MS) <= 0)
    if (ev->is_interrupted) eval_step(ev);
  char piece[1 << 14];
  ssize_t got;
  while ((got = read(fd, piece, sizeof piece)) < 0 && errno == EINTR) {
  }
  if (got < 0) raise_errno(ev, errno, NULL);
  return make_bytes(ev, (Str){piece, (size_t)got});
}

static Value files_isatty(Eval *ev, Value *a) { return v_bool(isatty(take_fd(ev, a[0]))); }

// What the system knows of a time zone; None: nothing.
static Value files_zone(Eval *ev, Value *a) {
  static const char *const folders[] = {"/usr/share/zoneinfo", "/usr/lib/zoneinfo",
                                        "/usr/share/lib/zoneinfo", "/etc/zoneinfo"};
  const char *key = take_path_text(ev, a[0]);
  for (size_t i = 0; i < COUNT_OF(folders); i++) {
    struct stat info;
    const char *path = str_format(ev->arena, "%s/%s", folders[i], key).data;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    bool is_file = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    Value data = is_file ? files_read(ev, (Value[]){v_int(fd), v_int(info.st_size)}) : v_none();
    close(fd);
    if (is_file) return data;
  }
  return v_none();
}

static Value files_write(Eval *ev, Value *a) {
  int fd = take_fd(ev, a[0]);
  Str data;
  if (!value_as_bytes(ev, a[1], &data))
    eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
               value_type_name(ev, a[1]));
  for (size_t at = 0; at < data.len;) {
    ssize_t put = write(fd, data.data + at, data.len - at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) raise_errno(ev, errno, NULL);
    at += (size_t)put;
  }
  return v_int((int64_t)data.len);
}

static Value files_seek(Eval *ev, Value *a) {
  int64_t whence = take_index64(ev, a[2]);
  if (whence < 0 || whence > 2)
    eval_raise(ev, ev->types.ValueError, "whence value %lld unsupported", (long long)whence);
  off_t at = lseek(take_fd(ev, a[0]), (off_t)take_index64(ev, a[1]), (int)whence);
  if (at < 0) raise_errno(ev, errno, NULL);
  return v_int(at);
}

static Value files_truncate(Eval *ev, Value *a) {
  if (ftruncate(take_fd(ev, a[0]), (off_t)take_index64(ev, a[1]))) raise_errno(ev, errno, NULL);
  return v_none();
}

static Value files_close(Eval *ev, Value *a) {
  int fd = take_fd(ev, a[0]);
  forget_file(ev, fd);
  if (close(fd)) raise_errno(ev, errno, NULL);
  return v_none();
}

static Value files_dup(Eval *ev, Value *a) {
  int fd = fcntl(take_fd(ev, a[0]), F_DUPFD_CLOEXEC, 0);
  if (fd < 0) raise_errno(ev, errno, NULL);
  return v_int(fd);
}

// What was printed belongs to what the number meant before.
static Value files_dup2(Eval *ev, Value *a) {
  fflush(ev->out);
  int fd = take_fd(ev, a[1]);
  if (dup2(take_fd(ev, a[0]), fd) < 0) raise_errno(ev, errno, NULL);
  if (!value_truth(ev, a[2]) && fcntl(fd, F_SETFD, FD_CLOEXEC)) raise_errno(ev, errno, NULL);
  return v_int(fd);
}

static Value files_fsync(Eval *ev, Value *a) {
  if (fsync(take_fd(ev, a[0]))) raise_errno(ev, errno, NULL);
  return v_none();
}

// ---- names --------------------------------------------------------------------------------------
static Value change_name(Eval *ev, const char *path, int (*change)(const char *)) {
  if (change == unlink)
    demand_own_entry(ev, path);
  else
    demand_own(ev, path);
  demand_writable(ev, path);
  if (change(path)) raise_errno(ev, errno, path);
  return v_none();
}

static int make_folder(const char *path) { return mkdir(path, 0777); }

static Value files_remove(Eval *ev, Value *a) {
  return change_name(ev, take_path_text(ev, a[0]), unlink);
}

static Value files_rmdir(Eval *ev, Value *a) {
  return change_name(ev, take_path_text(ev, a[0]), rmdir);
}

static Value files_mkdir(Eval *ev, Value *a) {
  return change_name(ev, take_path_text(ev, a[0]), make_folder);
}

// To a folder of the program's own. Those that it had before stay its own.
static Value files_chdir(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  OwnFolders own;
  demand_own(ev, path);
  demand_writable(ev, path);
  own_folders(ev, &own);
  if (own.has_program) keep_folder(ev, own.program);
  if (own.has_here) keep_folder(ev, own.here);
  if (chdir(path)) raise_errno(ev, errno, path);
  return v_none();
}

static Value files_rename(Eval *ev, Value *a) {
  const char *from = take_path_text(ev, a[0]), *to = take_path_text(ev, a[1]);
  demand_own_entry(ev, from);
  demand_own_entry(ev, to);
  demand_writable(ev, to);
  if (rename(from, to)) raise_errno(ev, errno, from);
  return v_none();
}

static Value files_chmod(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  demand_own(ev, path);
  demand_writable(ev, path);
  if (chmod(path, (mode_t)take_index64(ev, a[1]))) raise_errno(ev, errno, path);
  return v_none();
}

// A second name of a file of the program's own, or a name of any path.
static Value files_link(Eval *ev, Value *a) {
  const char *from = take_path_text(ev, a[0]), *to = take_path_text(ev, a[1]);
  bool is_symbolic = value_truth(ev, a[2]);
  if (!is_symbolic) demand_own(ev, from);
  demand_own_entry(ev, to);
  demand_writable(ev, to);
  if (is_symbolic ? symlink(from, to) : link(from, to)) raise_errno(ev, errno, from);
  return v_none();
}

static Value files_readlink(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  char target[PATH_MAX];
  ssize_t length = readlink(path, target, sizeof target);
  if (length < 0) raise_errno(ev, errno, path);
  return make_str(ev, (Str){target, (size_t)length});
}

// Seconds of its last use and its last change; negative: now.
static Value files_utime(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  struct timespec times[2];
  demand_own(ev, path);
  demand_writable(ev, path);
  for (int i = 0; i < 2; i++) {
    double seconds = take_real(ev, a[1 + i]), whole = floor(seconds);
    times[i] = (struct timespec){(time_t)whole, (long)((seconds - whole) * 1e9)};
    if (seconds < 0) times[i].tv_nsec = UTIME_NOW;
  }
  if (utimensat(AT_FDCWD, path, times, 0)) raise_errno(ev, errno, path);
  return v_none();
}

static Value files_list(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  demand_own(ev, path);
  DIR *folder = opendir(path);
  if (!folder) raise_errno(ev, errno, path);
  List *names = list_new(ev, 8);
  for (const struct dirent *entry; (entry = readdir(folder));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      list_push(ev, names, make_str_c(ev, entry->d_name));
  closedir(folder);
  return v_object(names);
}

static Value files_size(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  struct stat info;
  if (stat(path, &info)) raise_errno(ev, errno, path);
  return v_int(info.st_size);
}

// A folder of its own, whose files are the program's.
static Value files_temporary(Eval *ev, Value *a) {
  const char *prefix = take_path_text(ev, a[0]), *place = getenv("TMPDIR");
  demand_writable(ev, prefix);
  Str path = str_format(ev->arena, "%s/%sXXXXXX", place && *place ? place : "/tmp", prefix);
  char real[PATH_MAX], *text = arena_dup(ev->arena, path.data, path.len + 1);
  if (strchr(prefix, '/') || !mkdtemp(text)) raise_errno(ev, errno, text);
  if (!realpath(text, real)) raise_errno(ev, errno, text);
  keep_folder(ev, real);
  return make_str_c(ev, real);
}

static Value seconds_of(struct timespec t) {
  return v_float((double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
}

// mode, ino, dev, nlink, uid, gid, size, atime, mtime, ctime.
static Value files_stat(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  struct stat s;
  if (value_truth(ev, a[1]) ? stat(path, &s) : lstat(path, &s)) raise_errno(ev, errno, path);
  Value facts[] = {v_int(s.st_mode),           v_int((int64_t)s.st_ino), v_int((int64_t)s.st_dev),
                   v_int((int64_t)s.st_nlink), v_int(s.st_uid),          v_int(s.st_gid),
                   v_int(s.st_size),           seconds_of(s.st_atim),    seconds_of(s.st_mtim),
                   seconds_of(s.st_ctim)};
  return make_tuple(ev, COUNT_OF(facts), facts);
}

// Bytes of the disk that a path lies on: all, those in use, those that are free.
static Value files_space(Eval *ev, Value *a) {
  const char *path = take_path_text(ev, a[0]);
  struct statvfs s;
  if (statvfs(path, &s)) raise_errno(ev, errno, path);
  int64_t unit = (int64_t)s.f_frsize, blocks = (int64_t)s.f_blocks;
  return make_tuple(ev, 3,
                    (Value[]){v_int(unit * blocks), v_int(unit * (blocks - (int64_t)s.f_bfree)),
                              v_int(unit * (int64_t)s.f_bavail)});
}

// Whether the program may make files there.
static Value files_writable(Eval *ev, Value *a) {
  char real[PATH_MAX];
  OwnFolders own;
  own_folders(ev, &own);
  bool has_place = ev->options.run && resolve(take_path_text(ev, a[0]), real);
  return v_bool(has_place && is_own(ev, &own, real));
}

static Value files_environ(Eval *ev, Value *a UNUSED) {
  Dict *dict = dict_new(ev);
  for (char **p = environ; p && *p; p++) {
    const char *equals = strchr(*p, '=');
    if (!equals) continue;
    Value key = make_str(ev, (Str){*p, (size_t)(equals - *p)});
    dict_set(ev, dict, key, make_str_c(ev, equals + 1));
  }
  return v_object(dict);
}

static const NativeDef natives[] = {
    {"environ()", files_environ}, // the variables that the process was started with
    {"open(path, kind, update)", files_open},
    {"read(fd, count)", files_read},
    {"take(fd)", files_take},
    {"isatty(fd)", files_isatty},
    {"write(fd, data)", files_write},
    {"seek(fd, offset, whence)", files_seek},
    {"truncate(fd, size)", files_truncate},
    {"close(fd)", files_close},
    {"keep(fd, file)", files_keep},
    {"dup(fd)", files_dup},
    {"dup2(fd, fd2, inheritable)", files_dup2},
    {"fsync(fd)", files_fsync},
    {"remove(path)", files_remove},
    {"rmdir(path)", files_rmdir},
    {"chdir(path)", files_chdir},
    {"mkdir(path)", files_mkdir},
    {"rename(src, dst)", files_rename},
    {"chmod(path, mode)", files_chmod},
    {"link(src, dst, is_symbolic)", files_link},
    {"readlink(path)", files_readlink},
    {"utime(path, used, changed)", files_utime},
    {"listdir(path)", files_list},
    {"getsize(path)", files_size},
    {"stat(path, follows)", files_stat},
    {"zone(key)", files_zone},
    {"space(path)", files_space},
    {"temporary(prefix)", files_temporary},
    {"writable(path)", files_writable},
    {0},
};

const ModuleDef module_files = {.name = "_files", .functions = natives};
