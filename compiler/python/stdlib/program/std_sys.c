// SPDX-License-Identifier: Apache-2.0
// sys, os, os.path and time: what a program at trace time may know of the machine.
#define _GNU_SOURCE // environ
#include "base/collected.h"
#include "base/host.h"
#include "python/values/builtin_state.h"
#include "python/modules/import.h"
#include "python/modules/module.h"
#include "python/objects/signature.h"
#include "python/numbers/bigint.h"
#include "python/values/evaluator_state.h"
#include "python/builtins/builtin_float.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_traceback.h"
#include "python/builtins/builtin_object.h"
#include "python/builtins/builtin_wrap.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/builtins/text/builtin_bytes.h"
#include "python/builtins/text/builtin_text.h"
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

// ---- sys: streams -------------------------------------------------------------------------------
typedef struct Stream {
  Object base;
  bool is_error;
} Stream;

static FILE *stream_file(Eval *ev, Value self) {
  return ((const Stream *)self.o)->is_error ? ev->session->diag_out : ev->out;
}

static Value stream_write(Eval *ev, Value *a) {
  Str text;
  if (!value_as_str(a[1], &text)) {
    eval_raise(ev, ev->types.TypeError, "write() argument must be str, not %s",
               value_type_name(ev, a[1]));
  }
  if (ev->hooks.printing) ev->hooks.printing(ev);
  fwrite(text.data, 1, text.len, stream_file(ev, a[0]));
  return v_int((int64_t)text_length(text));
}

static Value stream_writelines(Eval *ev, Value *a) {
  const Tuple *lines = value_to_tuple(ev, a[1]);
  for (size_t i = 0; i < lines->count; i++) stream_write(ev, (Value[]){a[0], lines->items[i]});
  return v_none();
}

static Value stream_flush(Eval *ev, Value *a) {
  fflush(stream_file(ev, a[0]));
  return v_none();
}

static Value stream_isatty(Eval *ev, Value *a) {
  return v_bool(isatty(fileno(stream_file(ev, a[0]))));
}

static Value stream_fileno(Eval *ev UNUSED, Value *a) {
  return v_int(((const Stream *)a[0].o)->is_error ? 2 : 1);
}

static Value stream_name(Eval *ev, Value self) {
  return make_str_c(ev, ((const Stream *)self.o)->is_error ? "<stderr>" : "<stdout>");
}

static Value stream_encoding(Eval *ev, Value self UNUSED) { return make_str_c(ev, "utf-8"); }

static const NativeType stream_type = {
    .methods = (const NativeDef[]){{"write(self, text, /)", stream_write},
                                   {"writelines(self, lines, /)", stream_writelines},
                                   {"flush(self)", stream_flush},
                                   {"isatty(self)", stream_isatty},
                                   {"fileno(self)", stream_fileno},
                                   {0}},
    .getters = (const NativeGetter[]){{"name", stream_name}, {"encoding", stream_encoding}, {0}},
};

// ---- sys ----------------------------------------------------------------------------------------
static Value s_excepthook(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "traceback", "print_exception"), 3, a);
}

static Value s_exit(Eval *ev, Value *a) {
  size_t count = v_is_unbound(a[0]) || v_is_none(a[0]) ? 0 : 1;
  eval_raise_value(ev, value_call_n(ev, v_object(ev->types.SystemExit), count, a));
}

static Value s_getrecursionlimit(Eval *ev, Value *a UNUSED) { return v_int(ev->options.max_depth); }

static Value s_setrecursionlimit(Eval *ev, Value *a) {
  int64_t limit = take_index64(ev, a[0]);
  if (limit < 1)
    eval_raise(ev, ev->types.ValueError, "recursion limit must be greater or equal than 1");
  // The C stack has a limit of its own.
  ev->options.max_depth = limit > INT32_MAX ? INT32_MAX : (int)limit;
  return v_none();
}

static Value s_intern(Eval *ev, Value *a) {
  take_str(ev, a[0], "intern() argument");
  return a[0];
}

static Value s_exc_info(Eval *ev, Value *a UNUSED) {
  if (ev->exception.kind != V_OBJECT)
    return make_tuple(ev, 3, (Value[]){v_none(), v_none(), v_none()});
  Value traceback = ev->core->above.traceback(ev, (const ExceptionObject *)ev->exception.o);
  return make_tuple(ev, 3, (Value[]){v_object(ev->exception.o->type), ev->exception, traceback});
}

static Value s_getsizeof(Eval *ev, Value *a) {
  Name name = name_of(ev, "__sizeof__");
  Value method = type_lookup(ev, value_type(ev, a[0]), name);
  bool is_objects = value_is(method, type_lookup(ev, ev->types.object, name));
  return is_objects ? v_int(value_size(ev, a[0])) : special_call(ev, a[0], name, 0, NULL);
}

static Value s_encoding(Eval *ev, Value *a UNUSED) { return make_str_c(ev, "utf-8"); }

static Value s_digits_limit(Eval *ev UNUSED, Value *a UNUSED) { return v_int(INT_MAX_STR_DIGITS); }

static Value s_none(Eval *ev UNUSED, Value *a UNUSED) { return v_none(); }

static Value s_getrefcount(Eval *ev UNUSED, Value *a UNUSED) { return v_int(2); }

static Value s_getframe(Eval *ev, Value *a) {
  Value frame = running_frames(ev);
  for (int64_t depth = take_index64(ev, a[0]); depth > 0 && !v_is_none(frame); depth--)
    frame = value_getattr_c(ev, frame, "f_back");
  if (v_is_none(frame)) eval_raise(ev, ev->types.ValueError, "call stack is not deep enough");
  return frame;
}

static const NativeDef sys_functions[] = {
    {"_getframe(depth=0, /)", s_getframe},
    {"exit(status=, /)", s_exit},
    {"getrecursionlimit()", s_getrecursionlimit},
    {"setrecursionlimit(limit, /)", s_setrecursionlimit},
    {"intern(string, /)", s_intern},
    {"exc_info()", s_exc_info},
    {"getsizeof(object, default=0)", s_getsizeof},
    {"getrefcount(object, /)", s_getrefcount},
    {"getdefaultencoding()", s_encoding},
    {"getfilesystemencoding()", s_encoding},
    {"get_int_max_str_digits()", s_digits_limit},
    {"gettrace()", s_none},
    {"is_finalizing()", s_none},
    {0},
};

static const NotSupported sys_missing[] = {
    {"settrace", "there is no tracing of statements"},
    {"setprofile", "there is no profiling of statements"},
    {"breakpointhook", "there is no debugger of statements"},
    {NULL, NULL},
};

static Value make_stream(Eval *ev, Type *type, bool is_error) {
  Stream *stream = ARENA_NEW(ev->arena, Stream);
  *stream = (Stream){{type}, is_error};
  return v_object(stream);
}

// Our own program, which subprocess.pk runs files with; empty in a program that holds the library.
static Value own_program(Eval *ev) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  const char *name = strrchr(path, '/');
  return make_str_c(ev, name && strncmp(name, "/pallasc", 8) == 0 ? path : "");
}

static void set_hook(Eval *ev, ModuleObject *module) {
  static const NativeDef hook = {"excepthook(exctype, value, traceback, /)", s_excepthook};
  Value made = v_object(native_new(ev, &hook, NULL));
  module_set(ev, module, "excepthook", made);
  module_set(ev, module, "__excepthook__", made);
}

static void sys_init(Eval *ev, ModuleObject *module) {
  ev->builtin->sys = module;
  Type *type = native_type_new(ev, "io", "TextIOWrapper", NULL, &stream_type);
  Value out = make_stream(ev, type, false), err = make_stream(ev, type, true);
  module_set(ev, module, "stdout", out);
  module_set(ev, module, "__stdout__", out);
  module_set(ev, module, "stderr", err);
  module_set(ev, module, "__stderr__", err);
  set_hook(ev, module);
  module_set(ev, module, "modules", v_object(ev->modules));
  module_set(ev, module, "maxsize", v_int(INT64_MAX));
  module_set(ev, module, "maxunicode", v_int(0x10ffff));
  module_set(ev, module, "byteorder", make_str_c(ev, "little"));
  module_set(ev, module, "platform", make_str_c(ev, "linux"));
  module_set(ev, module, "executable", own_program(ev));
  static const char *const prefixes[] = {"prefix", "exec_prefix", "base_prefix",
                                         "base_exec_prefix"};
  for (size_t i = 0; i < COUNT_OF(prefixes); i++)
    module_set(ev, module, prefixes[i], make_str_c(ev, "/usr"));
  module_set(ev, module, "hexversion", v_int(0x030b07f0));
  module_set(ev, module, "version", make_str_c(ev, "3.11.7 (pallasc)"));
  module_set(ev, module, "float_repr_style", make_str_c(ev, "short"));
  module_set(ev, module, "warnoptions", v_object(list_new(ev, 0)));
  module_set(ev, module, "dont_write_bytecode", v_bool(true));
  module_set(ev, module, "path", v_object(import_path(ev)));
  List *argv = list_new(ev, 1);
  list_push(ev, argv,
            ev->main && ev->main->file ? make_str(ev, ev->main->file->path) : make_str_c(ev, ""));
  for (size_t i = 0; i < ev->options.program_arg_count; i++)
    list_push(ev, argv, make_str(ev, ev->options.program_args[i]));
  module_set(ev, module, "argv", v_object(argv));
}

const ModuleDef module_sys = {
    .name = "sys", .functions = sys_functions, .init = sys_init, .not_supported = sys_missing};

// ---- os -----------------------------------------------------------------------------------------
static const char *take_path(Eval *ev, Value v) {
  Value path = v;
  if (!value_as_str(v, &(Str){0})) {
    path = special_call(ev, v, name_of(ev, "__fspath__"), 0, NULL);
    if (v_is_unbound(path))
      eval_raise(ev, ev->types.TypeError, "expected str, bytes or os.PathLike object, not %s",
                 value_type_name(ev, v));
  }
  Str text = take_str(ev, path, "path");
  return memchr(text.data, 0, text.len) ? "" : str_copy(ev->arena, text).data;
}

static Value os_getcwd(Eval *ev, Value *a UNUSED) {
  char path[PATH_MAX];
  if (!getcwd(path, sizeof path)) eval_raise(ev, ev->types.OSError, "%s", strerror(errno));
  return make_str_c(ev, path);
}

static Value os_getpid(Eval *ev UNUSED, Value *a UNUSED) { return v_int(getpid()); }

static Value os_cpu_count(Eval *ev UNUSED, Value *a UNUSED) { return v_int(host_cores()); }

static Value os_sysconf(Eval *ev, Value *a) {
  int64_t page = sysconf(_SC_PAGESIZE);
  const struct {
    const char *name;
    int64_t value;
  } known[] = {{"SC_PAGE_SIZE", page},
               {"SC_PAGESIZE", page},
               {"SC_PHYS_PAGES", (int64_t)host_memory_bytes() / page},
               {"SC_NPROCESSORS_CONF", host_cores()},
               {"SC_NPROCESSORS_ONLN", host_cores()},
               {"SC_CLK_TCK", sysconf(_SC_CLK_TCK)},
               {"SC_OPEN_MAX", sysconf(_SC_OPEN_MAX)}};
  Str name = take_str(ev, a[0], "name");
  for (size_t i = 0; i < COUNT_OF(known); i++)
    if (str_equal(name, str_from_c(known[i].name))) return v_int(known[i].value);
  eval_raise(ev, ev->types.ValueError, "unrecognized configuration name");
}

// 'd' a folder, 'f' a file, 'o' something else, "" nothing.
static Value os_kind(Eval *ev, Value *a) {
  struct stat info;
  if (stat(take_path(ev, a[0]), &info) != 0) return make_str_c(ev, "");
  return make_str_c(ev, S_ISDIR(info.st_mode) ? "d" : S_ISREG(info.st_mode) ? "f" : "o");
}

static Value os_fspath(Eval *ev, Value *a) {
  return value_as_str(a[0], &(Str){0}) ? a[0] : make_str_c(ev, take_path(ev, a[0]));
}

static Value os_uname(Eval *ev, Value *a UNUSED) {
  struct utsname facts;
  if (uname(&facts)) eval_raise(ev, ev->types.OSError, "%s", strerror(errno));
  Value items[] = {make_str_c(ev, facts.sysname), make_str_c(ev, facts.nodename),
                   make_str_c(ev, facts.release), make_str_c(ev, facts.version),
                   make_str_c(ev, facts.machine)};
  return make_tuple(ev, COUNT_OF(items), items);
}

// "glibc 2.36"; empty where the system does not say it.
static Value os_libc(Eval *ev, Value *a UNUSED) {
  char text[64] = "";
#ifdef _CS_GNU_LIBC_VERSION
  confstr(_CS_GNU_LIBC_VERSION, text, sizeof text);
#endif
  return make_str_c(ev, text);
}

// Bytes of the system's own generator.
static Value os_urandom(Eval *ev, Value *a) {
  enum { MOST = 256 }; // that getentropy gives at once
  int64_t size = take_index64(ev, a[0]);
  if (size < 0) eval_raise(ev, ev->types.ValueError, "negative argument not allowed");
  if (!ev->options.run)
    eval_raise(ev, ev->types.NotImplementedError,
               "'os.urandom' is not supported: a compilation must be repeatable");
  char *bytes = arena_alloc_bytes(ev->arena, (size_t)size);
  for (int64_t at = 0; at < size; at += MOST)
    if (getentropy(bytes + at, (size_t)(size - at < MOST ? size - at : MOST)))
      eval_raise(ev, ev->types.OSError, "the system gives no random bytes");
  return make_bytes(ev, (Str){bytes, (size_t)size});
}

// Numbers of the process, its parent, its user and group.
static Value os_ids(Eval *ev, Value *a UNUSED) {
  Value items[] = {v_int(getppid()), v_int(getpgrp()), v_int(getuid()),
                   v_int(geteuid()), v_int(getgid()),  v_int(getegid())};
  return make_tuple(ev, COUNT_OF(items), items);
}

static Value os_getloadavg(Eval *ev, Value *a UNUSED) {
  double loads[3];
  if (getloadavg(loads, 3) != 3)
    eval_raise(ev, ev->types.OSError, "Load averages are unobtainable");
  return make_tuple(ev, 3, (Value[]){v_float(loads[0]), v_float(loads[1]), v_float(loads[2])});
}

static const NativeDef os_functions[] = {
    {"_ids()", os_ids},
    {"getloadavg()", os_getloadavg},
    {"getcwd()", os_getcwd},
    {"getpid()", os_getpid},
    {"cpu_count()", os_cpu_count},
    {"sysconf(name, /)", os_sysconf},
    {"_uname()", os_uname},
    {"_libc()", os_libc},
    {"_kind(path, /)", os_kind},
    {"fspath(path)", os_fspath},
    {"urandom(size, /)", os_urandom},
    {0},
};

static const NotSupported os_missing[] = {
#define MISSING(name) {name, NULL},
#include "std_os_missing.def"
#undef MISSING
    {NULL, NULL},
};

const ModuleDef module_os = {.name = "os", .functions = os_functions, .not_supported = os_missing};
const ModuleDef module_os_path = {.name = "os.path", .functions = os_functions};
const ModuleDef module_posixpath = {.name = "posixpath", .alias_of = "os.path"};

// ---- time ---------------------------------------------------------------------------------------
static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static Value t_time(Eval *ev UNUSED, Value *a UNUSED) { return v_float(seconds(CLOCK_REALTIME)); }

static Value t_monotonic(Eval *ev UNUSED, Value *a UNUSED) {
  return v_float(seconds(CLOCK_MONOTONIC));
}

static Value t_process(Eval *ev UNUSED, Value *a UNUSED) {
  return v_float(seconds(CLOCK_PROCESS_CPUTIME_ID));
}

static Value t_process_ns(Eval *ev UNUSED, Value *a UNUSED) {
  return v_int(nanoseconds(CLOCK_PROCESS_CPUTIME_ID));
}

static Value t_time_ns(Eval *ev UNUSED, Value *a UNUSED) {
  return v_int(nanoseconds(CLOCK_REALTIME));
}

static Value t_monotonic_ns(Eval *ev UNUSED, Value *a UNUSED) {
  return v_int(nanoseconds(CLOCK_MONOTONIC));
}

static Value t_pause(Eval *ev, Value *a) {
  double length = take_real(ev, a[0]);
  // In pieces: an interrupt is an exception at the step behind it.
  enum { PIECE_NS = 20000000 };
  int64_t end = nanoseconds(CLOCK_MONOTONIC) + (int64_t)(length < 1e9 ? length * 1e9 : 1e18);
  for (int64_t left; (left = end - nanoseconds(CLOCK_MONOTONIC)) > 0;) {
    nanosleep(&(struct timespec){.tv_nsec = left < PIECE_NS ? (long)left : PIECE_NS}, NULL);
    if (ev->is_interrupted) eval_step(ev); // runs what handles signals, or is an exception
  }
  return v_none();
}

// A program with threads lets the others go on meanwhile.
static Value t_sleep(Eval *ev, Value *a) {
  double seconds = take_real(ev, a[0]);
  if (isnan(seconds)) eval_raise(ev, ev->types.ValueError, "Invalid value NaN (not a number)");
  if (!(fabs(seconds) < 0x1p63))
    eval_raise(ev, ev->types.OverflowError, "timestamp out of range for platform time_t");
  if (seconds < 0) eval_raise(ev, ev->types.ValueError, "sleep length must be non-negative");
  if (!import_known(ev, STR("threading"))) return t_pause(ev, a);
  return value_call_n(ev, module_lookup(ev, "threading", "_sleep"), 1, a);
}

// The fields of a moment, the offset of its zone in seconds and the zone's name.
static Value t_fields(Eval *ev, Value *a) {
  double at = take_real(ev, a[0]);
  struct tm fields;
  time_t seconds = (time_t)floor(at);
  bool is_local = value_truth(ev, a[1]);
  if (!(fabs(at) < 1e15) ||
      !(is_local ? localtime_r(&seconds, &fields) : gmtime_r(&seconds, &fields)))
    eval_raise(ev, ev->types.OverflowError, "timestamp out of range for platform time_t");
  Value items[] = {v_int(fields.tm_year + 1900LL),
                   v_int(fields.tm_mon + 1),
                   v_int(fields.tm_mday),
                   v_int(fields.tm_hour),
                   v_int(fields.tm_min),
                   v_int(fields.tm_sec),
                   v_int((fields.tm_wday + 6) % 7),
                   v_int(fields.tm_yday + 1),
                   v_int(fields.tm_isdst),
                   v_int(fields.tm_gmtoff),
                   make_str_c(ev, fields.tm_zone ? fields.tm_zone : "UTC")};
  return make_tuple(ev, COUNT_OF(items), items);
}

static const NativeDef time_functions[] = {
    {"_fields(seconds, is_local, /)", t_fields},
    {"time()", t_time},
    {"perf_counter()", t_monotonic},
    {"monotonic()", t_monotonic},
    {"process_time()", t_process},
    {"thread_time()", t_process},
    {"process_time_ns()", t_process_ns},
    {"thread_time_ns()", t_process_ns},
    {"time_ns()", t_time_ns},
    {"perf_counter_ns()", t_monotonic_ns},
    {"monotonic_ns()", t_monotonic_ns},
    {"sleep(secs, /)", t_sleep},
    {"_pause(secs, /)", t_pause},
    {0},
};

static const NotSupported time_missing[] = {
    {"clock_settime", NULL},
    {"pthread_getcpuclockid", NULL},
    {NULL, NULL},
};

const ModuleDef module_time = {
    .name = "time", .functions = time_functions, .not_supported = time_missing};
