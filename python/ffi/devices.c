// SPDX-License-Identifier: Apache-2.0
// Devices meet: the last one to come makes arrays of all devices' parts, one behind the other,
// calls the entry point once, and gives each device its part of the results.
// In: the parts. Out: the parts of the results, or one message for all.
// Locks: Devices.lock protects the meetings; none is held while the kernel runs.
#include "devices.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Meeting {
  struct Meeting *next;
  int64_t run_id;
  int came, left;
  bool is_closed; // nobody joins any more
  bool is_over;
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

static char *call_with(const Meeting *m, int count, const Kernel *kernel, size_t inputs,
                       void **wholes) {
  const prt_entry *entry = kernel->entry;
  for (size_t i = 0; i < entry->param_count; i++) {
    size_t bytes = prt_param_bytes(&entry->params[i]);
    wholes[i] = malloc(bytes ? bytes : 1);
    if (!wholes[i]) return strdup("out of memory");
    if (i < inputs) move_parts(m, count, i, wholes[i], bytes / (size_t)count, true);
  }
  char *error = kernel_call(kernel, wholes);
  if (error) return error;
  for (size_t i = inputs; i < entry->param_count; i++)
    move_parts(m, count, i, wholes[i], prt_param_bytes(&entry->params[i]) / (size_t)count, false);
  return NULL;
}

static char *call_all(const Meeting *m, int count, const Kernel *kernel, size_t inputs) {
  void **wholes = calloc(kernel->entry->param_count, sizeof *wholes);
  if (!wholes) return strdup("out of memory");
  char *error = call_with(m, count, kernel, inputs, wholes);
  for (size_t i = 0; i < kernel->entry->param_count; i++) free(wholes[i]);
  free(wholes);
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

static char *absent_message(const Devices *devices, const Meeting *m) {
  char list[200] = "";
  size_t len = 0;
  for (int d = 0; d < devices->count && len < sizeof list - 16; d++)
    if (!m->arrays[d])
      len += (size_t)snprintf(list + len, sizeof list - len, "%s%d", len ? ", " : "", d);
  char text[400];
  snprintf(text, sizeof text,
           "%d of %d devices came to this kernel, which reaches the others; not in %.3g s: device "
           "%s",
           m->came, devices->count, (double)devices->timeout_ms / 1000, list);
  return strdup(text);
}

// Called with the lock held; waits without it.
static void wait_for_others(Devices *devices, Meeting *m) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  int64_t ns = until.tv_nsec + devices->timeout_ms % 1000 * 1000000;
  until.tv_sec += devices->timeout_ms / 1000 + ns / 1000000000;
  until.tv_nsec = ns % 1000000000;
  while (!m->is_over && !m->is_closed)
    if (pthread_cond_timedwait(&devices->changed, &devices->lock, &until) == ETIMEDOUT) break;
  if (!m->is_closed) { // they have not come
    m->is_closed = m->is_over = true;
    m->error = absent_message(devices, m);
    pthread_cond_broadcast(&devices->changed);
  }
  while (!m->is_over) pthread_cond_wait(&devices->changed, &devices->lock);
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
                   void *const *arrays, size_t inputs) {
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
      char *failed = call_all(m, devices->count, kernel, inputs);
      pthread_mutex_lock(&devices->lock);
      m->error = failed;
      m->is_over = true;
      pthread_cond_broadcast(&devices->changed);
    }
    error = leave(devices, m);
  }
  pthread_mutex_unlock(&devices->lock);
  return error;
}
