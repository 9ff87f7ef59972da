// SPDX-License-Identifier: Apache-2.0
// What resource.pk asks of the system: what the process has used, and what it may use.
#include "python/builtins/builtin_index.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include <sys/resource.h>

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static Value native_usage(Eval *ev, Value *a) {
  struct rusage used;
  if (getrusage((int)take_int(ev, a[0], "who"), &used))
    eval_raise(ev, ev->types.ValueError, "invalid who parameter");
  Value items[] = {v_float(seconds_of(used.ru_utime)),
                   v_float(seconds_of(used.ru_stime)),
                   v_int(used.ru_maxrss),
                   v_int(used.ru_ixrss),
                   v_int(used.ru_idrss),
                   v_int(used.ru_isrss),
                   v_int(used.ru_minflt),
                   v_int(used.ru_majflt),
                   v_int(used.ru_nswap),
                   v_int(used.ru_inblock),
                   v_int(used.ru_oublock),
                   v_int(used.ru_msgsnd),
                   v_int(used.ru_msgrcv),
                   v_int(used.ru_nsignals),
                   v_int(used.ru_nvcsw),
                   v_int(used.ru_nivcsw)};
  return make_tuple(ev, COUNT_OF(items), items);
}

static Value limit(rlim_t bytes) { return v_int(bytes == RLIM_INFINITY ? -1 : (int64_t)bytes); }

static Value native_limits(Eval *ev, Value *a) {
  struct rlimit limits;
  if (getrlimit((int)take_int(ev, a[0], "resource"), &limits))
    eval_raise(ev, ev->types.ValueError, "invalid resource specified");
  return make_tuple(ev, 2, (Value[]){limit(limits.rlim_cur), limit(limits.rlim_max)});
}

static const NativeDef natives[] = {
    {"usage(who)", native_usage},
    {"limits(resource)", native_limits},
    {NULL, NULL},
};

const ModuleDef module_resource = {.name = "_resource", .functions = natives};
