// SPDX-License-Identifier: Apache-2.0
// --cache: what code generation made, kept in files by all that it depends on. In: IR and options.
// Out: the object that an earlier run made of the same. A file holds its whole key, which is
// compared, so that no two keys are taken for each other; it is written under another name and
// renamed, so that processes may share the folder. What is longest unused goes when there is too
// much.
#define _GNU_SOURCE
#include "base/buf.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "cache.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "driver/installed.h"
#include "driver/output/interrupt.h"
#include "driver/output/output.h"

#define ENDING ".kept"
// What is left when there was too much.
enum { KEPT_PERCENT = 80 };

// In front of the key and the object, in the machine's own byte order.
typedef struct Head {
  char magic[8];
  uint64_t key_length, object_length;
  uint64_t checksum; // of both, CRC-32
} Head;
static const char magic[8] = "pkcache1";

struct Cache {
  Session *session;
  Str folder;
  uint64_t limit; // bytes
  uint64_t held;  // as far as this process knows
  bool is_counted, is_reported;
};

typedef struct Kept {
  const char *name;
  uint64_t size;
  struct timespec used;
} Kept;

// ---- the folder ---------------------------------------------------------------------------------
// With the folders above it. False with errno.
static bool make_folder(Arena *arena, Str path) {
  for (size_t i = 1; i <= path.len; i++) {
    bool is_end = i == path.len || path.data[i] == '/';
    if (is_end && mkdir(str_copy(arena, (Str){path.data, i}).data, 0777) && errno != EEXIST)
      return false;
  }
  struct stat st;
  if (stat(path.data, &st) == 0 && !S_ISDIR(st.st_mode)) {
    errno = ENOTDIR;
    return false;
  }
  return access(path.data, R_OK | W_OK | X_OK) == 0;
}

Cache *cache_open(Session *session, const Options *options) {
  // A pass that is shown must run.
  for (int i = 0; i < PASS_COUNT; i++)
    if (options->print_after[i]) return NULL;
  if (!options->cache.len || options->report || options->warning_on[WARN_PERF]) return NULL;
  Cache *cache = ARENA_NEW(session->arena, Cache);
  *cache = (Cache){.session = session,
                   .folder = str_copy(session->arena, options->cache),
                   .limit = options->cache_size};
  if (make_folder(session->arena, cache->folder)) return cache;
  diag_warning(session, WARN_HINT, (Span){0}, "cannot use '%.*s' as a cache: %s; nothing is kept",
               STR_FMT(cache->folder), strerror(errno));
  return NULL;
}

// ---- keys ---------------------------------------------------------------------------------------
// Lines, their numbers and functions are in code that describes them, so the sources belong to it.
static void add_sources(const Session *session, Buf *out) {
  char folder[4096];
  buf_printf(out, "in %s\n", getcwd(folder, sizeof folder) ? folder : "");
  for (size_t i = 0; i < session->files.count; i++) {
    const SourceFile *file = session->files.items[i];
    if (file->is_builtin) continue;
    buf_printf(out, "file %.*s %zu\n", STR_FMT(file->path), file->text.len);
    buf_str(out, file->text);
  }
}

static void add_flags(Buf *out, const char *name, size_t count, const bool *flags) {
  buf_printf(out, "%s ", name);
  for (size_t i = 0; i < count; i++) buf_c(out, flags[i] ? "1" : "0");
  buf_c(out, "\n");
}

bool cache_key(Cache *cache, const Options *o, const IrModule *module,
               const CodegenOptions *codegen, Str kind, Arena *arena, CacheKey *out) {
  Session *session = cache->session;
  Str target;
  if (!codegen_target_text(session, arena, codegen->target_cpu, &target)) return false;
  Buf buf;
  buf_init(&buf, arena);
  buf_printf(&buf, "compiler %.*s\nkind %.*s\ntarget %.*s\n", STR_FMT(installed_identity(session)),
             STR_FMT(kind), STR_FMT(target));
  const bool flags[] = {o->nan,          codegen->debug_info, codegen->check, codegen->tsan,
                        codegen->verify, codegen->eager,      o->strict_tpu};
  buf_printf(&buf, "level %d\nwatch %u\n", codegen->opt_level, module->watch);
  add_flags(&buf, "flags", COUNT_OF(flags), flags);
  add_flags(&buf, "warnings", WARN_COUNT, o->warning_on);
  add_flags(&buf, "errors", WARN_COUNT, o->warning_is_error);
  add_sources(session, &buf);
  ir_print(module, true, &buf);
  out->text = buf_view(&buf);
  out->hash = str_hash64(out->text);
  return true;
}

static const char *path_of(const Cache *cache, const CacheKey *key) {
  return str_format(cache->session->arena, "%.*s/%016llx" ENDING, STR_FMT(cache->folder),
                    (unsigned long long)key->hash)
      .data;
}

// ---- what is longest unused ---------------------------------------------------------------------
static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const Kept *)a)->used, *y = &((const Kept *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static bool is_ours(const char *name) {
  return str_ends_with(str_from_c(name), STR(ENDING)) ||
         str_ends_with(str_from_c(name), STR(ENDING ".tmp"));
}

static void shrink(Cache *cache, Arena *arena, int folder, DIR *dir) {
  VEC(Kept) all = {0};
  uint64_t total = 0;
  for (const struct dirent *entry; (entry = readdir(dir));) {
    struct stat st;
    if (!is_ours(entry->d_name) || fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(st.st_mode))
      continue;
    Kept kept = {str_copy(arena, str_from_c(entry->d_name)).data, (uint64_t)st.st_size, st.st_mtim};
    VEC_PUSH(arena, &all, kept);
    total += kept.size;
  }
  bool is_full = total > cache->limit;
  if (is_full) qsort(all.items, all.count, sizeof *all.items, by_use);
  for (size_t i = 0; is_full && i < all.count && total > cache->limit / 100 * KEPT_PERCENT; i++) {
    if (unlinkat(folder, all.items[i].name, 0) == 0 || errno == ENOENT) total -= all.items[i].size;
  }
  cache->held = total;
  cache->is_counted = true;
}

// Only when there may be too much: others may fill the folder as well, and look for themselves.
static void keep_small(Cache *cache, size_t added) {
  cache->held += added;
  if (cache->is_counted && cache->held <= cache->limit) return;
  DIR *dir = opendir(cache->folder.data);
  if (!dir) return;
  Arena *arena = arena_new_child(cache->session->arena);
  shrink(cache, arena, dirfd(dir), dir);
  arena_free(arena);
  closedir(dir);
}

// ---- reading ------------------------------------------------------------------------------------
static bool read_all(int fd, void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = read(fd, (char *)to + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

static uint64_t checksum_of(Str key, Str object) {
  uLong sum = crc32_z(0, (const Bytef *)key.data, key.len);
  return crc32_z(sum, (const Bytef *)object.data, object.len);
}

static bool read_kept(Arena *arena, int fd, const CacheKey *key, Str *object) {
  Head head;
  struct stat st;
  if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !read_all(fd, &head, sizeof head)) return false;
  uint64_t rest = (uint64_t)st.st_size - sizeof head;
  if (memcmp(head.magic, magic, sizeof magic) != 0 || head.key_length != key->text.len ||
      rest < head.key_length || head.object_length != rest - head.key_length)
    return false;
  char *data = arena_alloc(arena, rest + 1);
  Str text = {data, key->text.len};
  if (!read_all(fd, data, rest) || !str_equal(text, key->text)) return false;
  *object = (Str){data + key->text.len, (size_t)head.object_length};
  return checksum_of(text, *object) == head.checksum;
}

bool cache_find(Cache *cache, const CacheKey *key, Arena *arena, Str *object) {
  int fd = open(path_of(cache, key), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) return false;
  bool good = read_kept(arena, fd, key, object);
  if (good) futimens(fd, NULL); // used now
  close(fd);
  if (good && !cache->is_counted) keep_small(cache, 0); // its size may be less than it was
  return good;
}

// ---- writing -----------------------------------------------------------------------------------
// What cannot be kept is made again next time; that it is so is said once.
void cache_keep(Cache *cache, const CacheKey *key, Str object) {
  Head head = {.key_length = key->text.len,
               .object_length = object.len,
               .checksum = checksum_of(key->text, object)};
  memcpy(head.magic, magic, sizeof magic);
  size_t size = sizeof head + key->text.len + object.len;
  if (size > cache->limit) return;
  const char *path = path_of(cache, key);
  const char *temporary = str_format(cache->session->arena, "%.*s/%ld-%p" ENDING ".tmp",
                                     STR_FMT(cache->folder), (long)getpid(), (void *)cache)
                              .data;
  Interrupt held;
  interrupt_hold(&held);
  int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  bool good = fd >= 0 && output_write_all(fd, (Str){(const char *)&head, sizeof head}) &&
              output_write_all(fd, key->text) && output_write_all(fd, object);
  int error = good ? 0 : errno;
  if (fd >= 0 && close(fd) && good) good = false, error = errno;
  if (good && rename(temporary, path)) good = false, error = errno;
  if (fd >= 0 && !good) unlink(temporary);
  interrupt_release(&held);
  if (good) {
    keep_small(cache, size);
  } else if (!cache->is_reported) {
    cache->is_reported = true;
    diag_warning(cache->session, WARN_HINT, (Span){0},
                 "nothing can be kept in the cache '%.*s': %s", STR_FMT(cache->folder),
                 strerror(error));
  }
}
