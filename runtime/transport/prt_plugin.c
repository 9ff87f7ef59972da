// SPDX-License-Identifier: Apache-2.0
// Transports that are libraries of their own, loaded when they are asked for: what carries the
// messages need not be installed where it is not used.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include "machine/prt_fail.h"
#include "prt_ranks.h"

enum { PATH_ROOM = PATH_MAX + 64 };

// The path of the library that holds the runtime, or of the program: what that was called by says
// neither where it lies (it is found by PATH) nor from which folder (it may have been left).
static const char *holder_of_runtime(char self[PATH_MAX]) {
  Dl_info info;
  struct link_map *map = NULL;
  const void *here = (const void *)(uintptr_t)&prt__transport_open;
  bool is_known = dladdr1(here, &info, (void **)&map, RTLD_DL_LINKMAP) != 0;
  if (is_known && map && map->l_name[0]) return map->l_name; // the program's name there is empty
  return realpath("/proc/self/exe", self);
}

// Beside the program or library that holds the runtime, in the lib folder next to that, and where
// the system looks.
static void *load(const char *name, char *why, size_t room) {
  static const char *const folders[] = {"", "../lib/", NULL};
  char self[PATH_MAX];
  const char *holder = holder_of_runtime(self), *slash = holder ? strrchr(holder, '/') : NULL;
  char path[PATH_ROOM];
  for (int i = 0; i < 3; i++) {
    if (folders[i] && !slash) continue;
    int length = folders[i] ? snprintf(path, sizeof path, "%.*s/%slibpallasrt_%s.so",
                                       (int)(slash - holder), holder, folders[i], name)
                            : snprintf(path, sizeof path, "libpallasrt_%s.so", name);
    if (length < 0 || (size_t)length >= sizeof path) continue;
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library) return library;
    const char *error = dlerror();
    if (!why[0] || (error && !strstr(error, "No such file")))
      snprintf(why, room, "%s", error ? error : "it cannot be loaded");
  }
  return NULL;
}

// One that cmake/ builds where there is what it needs.
static bool is_ours(const char *name) {
  return strcmp(name, "mpi") == 0 || strcmp(name, "mpich") == 0;
}

prt_status prt__transport_open(const prt_machine_options *options, prt_transport **out) {
  const char *name = options->transport;
  *out = NULL;
  if (!name || !*name || strcmp(name, "none") == 0) return PRT_OK;
  if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
    return prt__set_error(PRT_ERROR_ARGUMENT, "there is no transport '%.40s'", name);
  char why[512] = "";
  void *library = load(name, why, sizeof why);
  // Where MPICH is the site's only MPI, it is what libpallasrt_mpi.so was built with.
  if (!library && strcmp(name, "mpich") == 0) library = load("mpi", why, sizeof why);
  if (!library)
    return prt__set_error(PRT_ERROR_MACHINE, "the transport '%.40s' cannot be loaded: %s; %s", name,
                          why,
                          is_ours(name) ? "a build beside an MPI makes it, packages are without it"
                                        : "there are 'mpi' and 'mpich'");
  prt_transport_open_function *open =
      (prt_transport_open_function *)(uintptr_t)dlsym(library, "prt_transport_open");
  if (!open) return prt__set_error(PRT_ERROR_MACHINE, "libpallasrt_%.40s.so is no transport", name);
  *out = open(options->mpi_comm, why, sizeof why);
  if (!*out) return prt__set_error(PRT_ERROR_MACHINE, "the transport '%.40s': %s", name, why);
  return PRT_OK;
}
