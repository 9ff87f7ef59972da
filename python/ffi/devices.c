// SPDX-License-Identifier: Apache-2.0
// Devices meet: the last one to come calls the entry point once, on the devices' own arrays if each
// is a parameter; else it makes arrays of all devices' parts, one behind the other, and gives each
// device its part of the results.
// In: the parts. Out: the parts of the results, or one message for all.
//
// A device that does not come may wait for the others in a collective of XLA's own, which ends the
// process when they fail here. So a run that is asked to go on does: its results are bytes of ones,
// NaN, and who asks for the message gets it when the run is over.
// Locks: Devices.lock protects the meetings; none is held while the kernel runs. missed_lock
// protects the messages, and is taken last.
#include "devices.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Meeting {
  struct Meeting *next;
  int64_t run_id;
  int came, left;
  bool is_closed; // nobody joins any more
  bool is_over;
  bool is_missed;        // a device has not come
  char *error;           // or NULL; each device gets a copy
  void *const *arrays[]; // by position; NULL: has not come
} Meeting;

struct Devices {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int count;
  int64_t timeout_ms;
  Meeting *meetings;
};

Devices *pallasc_ffi_devices_new(int count, int64_t timeout_ms) {
  Devices *devices = calloc(1, sizeof *devices);
  if (!devices) return NULL;
  pthread_mutex_init(&devices->lock, NULL);
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&devices->changed, &attr);
  pthread_condattr_destroy(&attr);
  devices->count = count;
  devices->timeout_ms = timeout_ms;
  return devices;
}

// ---- the call ----------------------------------------------------------------------------------

// Copies each device's part of array i to or from the whole.
static void move_parts(const Meeting *m, int count, size_t i, char *whole, size_t bytes, bool in) {
  for (int d = 0; d < count; d++) {
    char *part = m->arrays[d][i];
    if (in)
      memcpy(whole + (size_t)d * bytes, part, bytes);
    else
      memcpy(part, whole + (size_t)d * bytes, bytes);
  }
}

static char *call_on_wholes(const Meeting *m, int count, const Kernel *kernel, void **wholes) {
  const prt_entry *entry = kernel->entry;
  for (size_t i = 0; i < entry->param_count; i++) {
    const prt_param *param = &entry->params[i];
    size_t bytes = prt_param_bytes(param);
    wholes[i] = malloc(bytes ? bytes : 1);
    if (!wholes[i]) return strdup("out of memory");
    if (param->role != PRT_OUT) move_parts(m, count, i, wholes[i], bytes / (size_t)count, true);
  }
  char *error = kernel_call(kernel, wholes);
  if (error) return error;
  for (size_t i = 0; i < entry->param_count; i++) {
    const prt_param *param = &entry->params[i];
    if (param->role == PRT_IN) continue;
    move_parts(m, count, i, wholes[i], prt_param_bytes(param) / (size_t)count, false);
  }
  return NULL;
}

// Whether each device's part of an array is a parameter of the entry point (--apart).
static bool is_apart(const prt_entry *entry, size_t arrays) { return entry->param_count > arrays; }

static char *call_on_parts(const Meeting *m, int count, const Kernel *kernel, void **parts) {
  for (size_t i = 0; i < kernel->entry->param_count; i++)
    parts[i] = m->arrays[i % (size_t)count][i / (size_t)count];
  return kernel_call(kernel, parts);
}

static char *call_all(const Meeting *m, int count, const Kernel *kernel, size_t arrays) {
  void **params = calloc(kernel->entry->param_count + 1, sizeof *params);
  if (!params) return strdup("out of memory");
  bool apart = is_apart(kernel->entry, arrays);
  char *error = (apart ? call_on_parts : call_on_wholes)(m, count, kernel, params);
  for (size_t i = 0; i < kernel->entry->param_count && !apart; i++) free(params[i]);
  free(params);
  return error;
}

// ---- meeting -----------------------------------------------------------------------------------

// Called with the lock held. The meeting that this device belongs to; NULL: no memory.
static Meeting *join(Devices *devices, int64_t run_id, int position) {
  for (Meeting *m = devices->meetings; m; m = m->next)
    if (m->run_id == run_id && !m->is_closed && !m->arrays[position]) return m;
  Meeting *m = calloc(1, sizeof *m + (size_t)devices->count * sizeof m->arrays[0]);
  if (!m) return NULL;
  m->run_id = run_id;
  m->next = devices->meetings;
  return devices->meetings = m;
}

typedef struct Missed {
  struct Missed *next;
  const prt_machine *machine;
  char *message;
} Missed;

static pthread_mutex_t missed_lock = PTHREAD_MUTEX_INITIALIZER;
static Missed *missed;

static void keep(const prt_machine *machine, const char *message) {
  Missed *made = malloc(sizeof *made);
  if (!made) return;
  pthread_mutex_lock(&missed_lock);
  *made = (Missed){missed, machine, strdup(message)};
  missed = made;
  pthread_mutex_unlock(&missed_lock);
}

bool pallasc_ffi_devices_missed(const prt_machine *machine, char *text, size_t size) {
  bool any = false;
  pthread_mutex_lock(&missed_lock);
  for (Missed **at = &missed; *at;) {
    Missed *found = *at;
    if (found->machine != machine) {
      at = &found->next;
      continue;
    }
    any = true;
    snprintf(text, size, "%s", found->message ? found->message : "a device did not come");
    *at = found->next;
    free(found->message);
    free(found);
  }
  pthread_mutex_unlock(&missed_lock);
  return any;
}

static int64_t ms_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static char *absent_message(const Devices *devices, const Meeting *m, int64_t waited_ms) {
  char list[200] = "";
  size_t len = 0;
  for (int d = 0; d < devices->count && len < sizeof list - 16; d++)
    if (!m->arrays[d])
      len += (size_t)snprintf(list + len, sizeof list - len, "%s%d", len ? ", " : "", d);
  char text[400];
  snprintf(text, sizeof text,
           "%d of %d devices came to this kernel, which reaches the others; not in %.1f s: device "
           "%s",
           m->came, devices->count, (double)waited_ms / 1000, list);
  return strdup(text);
}

enum { TICK_MS = 1000, IDLE_MS = 10000 }; // how often a wait looks, and how long it is hopeful

// Called with the lock held; waits without it, until the others have come, their time is over, or
// nobody in the process has computed for a while: then nobody is on the way.
// Gives how long it has waited.
static int64_t wait_until_late(Devices *devices, const Meeting *m) {
  int64_t begin = ms_of(CLOCK_MONOTONIC), now = begin, idle_since = begin;
  int64_t used = ms_of(CLOCK_PROCESS_CPUTIME_ID);
  while (!m->is_over && !m->is_closed && now - begin < devices->timeout_ms &&
         now - idle_since < IDLE_MS) {
    int64_t left = begin + devices->timeout_ms - now,
            until = now + (left < TICK_MS ? left : TICK_MS);
    struct timespec end = {until / 1000, until % 1000 * 1000000};
    pthread_cond_timedwait(&devices->changed, &devices->lock, &end);
    int64_t used_now = ms_of(CLOCK_PROCESS_CPUTIME_ID), was = now;
    now = ms_of(CLOCK_MONOTONIC);
    if ((used_now - used) * 100 > now - was) idle_since = now;
    used = used_now;
  }
  return now - begin;
}

// Called with the lock held.
static void wait_for_others(Devices *devices, Meeting *m) {
  int64_t waited_ms = wait_until_late(devices, m);
  if (!m->is_over && !m->is_closed) { // they have not come
    m->is_closed = m->is_over = m->is_missed = true;
    m->error = absent_message(devices, m, waited_ms);
    if (m->error) fprintf(stderr, "pallasc: %s\n", m->error);
    pthread_cond_broadcast(&devices->changed);
  }
  while (!m->is_over) pthread_cond_wait(&devices->changed, &devices->lock);
}

// What one device has for results of a run that goes on without them.
static void spoil(const Devices *devices, const prt_entry *entry, void *const *arrays,
                  size_t count) {
  size_t parts = (size_t)devices->count, step = is_apart(entry, count) ? parts : 1;
  for (size_t i = 0; i < count; i++) {
    const prt_param *param = &entry->params[i * step];
    if (param->role != PRT_IN) memset(arrays[i], 0xff, prt_param_bytes(param) * step / parts);
  }
}

// Called with the lock held. The last one out frees the meeting.
static char *leave(Devices *devices, Meeting *m) {
  char *error = m->error ? strdup(m->error) : NULL;
  if (++m->left < m->came) return error;
  Meeting **at = &devices->meetings;
  while (*at != m) at = &(*at)->next;
  *at = m->next;
  free(m->error);
  free(m);
  return error;
}

char *devices_call(Devices *devices, const Kernel *kernel, int64_t run_id, int position,
                   void *const *arrays, size_t count) {
  if (position < 0 || position >= devices->count) return strdup("a device outside of the mesh");
  pthread_mutex_lock(&devices->lock);
  Meeting *m = join(devices, run_id, position);
  char *error = m ? NULL : strdup("out of memory");
  if (m) {
    m->arrays[position] = arrays;
    if (++m->came < devices->count) {
      wait_for_others(devices, m);
    } else {
      m->is_closed = true;
      pthread_mutex_unlock(&devices->lock);
      char *failed = call_all(m, devices->count, kernel, count);
      pthread_mutex_lock(&devices->lock);
      m->error = failed;
      m->is_over = true;
      pthread_cond_broadcast(&devices->changed);
    }
    bool is_spoilt = kernel->misses && m->is_missed && m->error;
    error = leave(devices, m);
    if (is_spoilt && error) {
      keep(kernel->host->machine, error);
      spoil(devices, kernel->entry, arrays, count);
      free(error);
      error = NULL;
    }
  }
  pthread_mutex_unlock(&devices->lock);
  return error;
}
