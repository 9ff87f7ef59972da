// SPDX-License-Identifier: Apache-2.0
// Entry points: finding them in a library, asking whether this machine can run them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include "host/prt_cpu.h"
#include "prt_fail.h"
#include "prt_machine.h"

// POSIX lets a void * from dlsym be used as the address of anything; a NULL handle is the program.
static void *find_symbol(void *dl_handle, const char *symbol) {
  return dlsym(dl_handle ? dl_handle : RTLD_DEFAULT, symbol);
}

prt_status prt__refuse_version(const prt_entry *entry) {
  if (entry->abi_version == PRT_ABI_VERSION) return PRT_OK;
  return prt__set_error(
      PRT_ERROR_MACHINE,
      "%s: compiled for version %u of the runtime's interface, this runtime has version %d",
      entry->name, (unsigned)entry->abi_version, PRT_ABI_VERSION);
}

size_t prt_list_entries(void *dl_handle, const prt_entry **entries, size_t capacity) {
  const prt_entry_list *list = find_symbol(dl_handle, "prt_entry_table");
  if (!list || list->abi_version != PRT_ABI_VERSION) return 0;
  size_t count = 0;
  for (const prt_entry *const *p = list->begin; p < list->end; p++)
    if (*p && count++ < capacity) entries[count - 1] = *p;
  return count;
}

enum { MOST_NAMES = 8 };

// "; there are 'add', 'mul' and 3 more", or that there are none.
static void entry_names(void *dl_handle, char *out, size_t capacity) {
  const prt_entry *entries[MOST_NAMES];
  size_t count = prt_list_entries(dl_handle, entries, MOST_NAMES), used = 0;
  for (size_t i = 0; i < count && i < MOST_NAMES && used < capacity; i++)
    used += (size_t)snprintf(out + used, capacity - used, "%s'%.60s'",
                             i           ? ", "
                             : count > 1 ? "; there are "
                                         : "; there is ",
                             entries[i]->name);
  if (count > MOST_NAMES && used < capacity)
    snprintf(out + used, capacity - used, " and %zu more", count - MOST_NAMES);
}

const prt_entry *prt_find_entry(void *dl_handle, const char *name) {
  char symbol[300], names[700] = "";
  int length = snprintf(symbol, sizeof symbol, "prt_entry_%s", name ? name : "");
  const prt_entry *entry = NULL;
  if (name && (size_t)length < sizeof symbol) entry = find_symbol(dl_handle, symbol);
  if (!entry) {
    entry_names(dl_handle, names, sizeof names);
    prt__set_error(PRT_ERROR_ARGUMENT, "there is no entry point '%.200s'%s%s", name ? name : "NULL",
                   dl_handle
                       ? ""
                       : " among what the program exports (cc -rdynamic); the handle is NULL, "
                         "as of a dlopen that has failed",
                   names);
    return NULL;
  }
  return prt__refuse_version(entry) ? NULL : entry;
}

prt_status prt__refuse_cpu(const prt_entry *entry, const uint64_t features[2]) {
  uint64_t missing[2];
  for (int i = 0; i < 2; i++) missing[i] = entry->cpu_features[i] & ~features[i];
  if (!(missing[0] | missing[1])) return PRT_OK;
  char names[256];
  prt__cpu_feature_names(missing, names, sizeof names);
  return prt__set_error(PRT_ERROR_CPU,
                        "%s: compiled for the CPU '%s'; this one has no %s; 'pallasc --target-cpu' "
                        "makes code for CPUs with less, as x86-64-v3 (AVX2) and x86-64-v2 are",
                        entry->name, entry->cpu, names);
}

prt_status prt_entry_supported(const prt_entry *entry) {
  uint64_t features[2];
  prt__cpu_features(features);
  return prt__refuse_cpu(entry, features);
}

size_t prt_param_bytes(const prt_param *param) {
  size_t bytes = prt_dtype_size((prt_dtype)param->dtype);
  for (int32_t i = 0; i < param->rank; i++)
    bytes *= param->dims[i] == PRT_ANY_SIZE ? 0 : (size_t)param->dims[i];
  return bytes;
}
