// SPDX-License-Identifier: Apache-2.0
// Entry points for several sizes: which of their variants a call means, and what is said if there
// is none.
#include <string.h>
#include "prt_fail.h"
#include "prt_machine.h"

typedef struct Message {
  char text[PRT_MESSAGE_SIZE];
  size_t length;
} Message;

static void put(Message *m, const char *text) {
  size_t room = sizeof m->text - 1 - m->length, length = strlen(text);
  if (length > room) length = room;
  memcpy(m->text + m->length, text, length);
  m->length += length;
  m->text[m->length] = 0;
}

static void put_number(Message *m, int64_t number) {
  char digits[24];
  snprintf(digits, sizeof digits, "%lld", (long long)number);
  put(m, digits);
}

static void put_sizes(Message *m, const prt_entry *entry, const int64_t *sizes) {
  for (uint32_t i = 0; i < entry->size_count; i++) {
    put(m, i ? ", " : "");
    put(m, entry->params[i].name);
    put(m, " = ");
    put_number(m, sizes[i]);
  }
}

// Whether a variant before `end` has the number as size `i`.
static bool occurs(const prt_entry *entry, uint32_t end, uint32_t i, int64_t number) {
  for (uint32_t v = 0; v < end; v++)
    if (entry->variants[v]->sizes[i] == number) return true;
  return false;
}

// "; n is one of 256, 512"
static void put_values(Message *m, const prt_entry *entry, uint32_t i) {
  put(m, "; ");
  put(m, entry->params[i].name);
  bool is_first = true;
  for (uint32_t v = 0; v < entry->variant_count; v++) {
    int64_t number = entry->variants[v]->sizes[i];
    if (occurs(entry, v, i, number)) continue;
    put(m, is_first ? " is one of " : ", ");
    put_number(m, number);
    is_first = false;
  }
}

static prt_status refuse(const prt_entry *entry, const int64_t *sizes) {
  Message m = {.length = 0};
  bool is_known = true; // each size by itself
  put_sizes(&m, entry, sizes);
  for (uint32_t i = 0; i < entry->size_count; i++) {
    if (occurs(entry, entry->variant_count, i, sizes[i])) continue;
    put_values(&m, entry, i);
    is_known = false;
  }
  for (uint32_t v = 0; v < entry->variant_count && is_known; v++) {
    put(&m, v ? "; " : "; there is ");
    put_sizes(&m, entry, entry->variants[v]->sizes);
  }
  return prt__set_error(PRT_ERROR_ARGUMENT, "%s: there is no code for %s", entry->name, m.text);
}

prt_status prt_entry_for_sizes(const prt_entry *entry, const int64_t *sizes,
                               const prt_entry **variant) {
  if (prt__refuse_version(entry)) return PRT_ERROR_MACHINE;
  *variant = entry;
  if (!entry->variant_count) return PRT_OK;
  for (uint32_t v = 0; v < entry->variant_count; v++) {
    *variant = entry->variants[v];
    if (!memcmp((*variant)->sizes, sizes, entry->size_count * sizeof *sizes)) return PRT_OK;
  }
  *variant = NULL;
  return refuse(entry, sizes);
}

prt_status prt__call_for_sizes(prt_machine *machine, const prt_entry *entry,
                               void *const *arguments) {
  int64_t sizes[PRT_MAX_SIZES];
  const prt_entry *variant;
  if (!arguments)
    return prt__set_error(PRT_ERROR_ARGUMENT, "%s: the list of arguments is NULL", entry->name);
  for (uint32_t i = 0; i < entry->size_count; i++) {
    if (!arguments[i])
      return prt__set_error(PRT_ERROR_ARGUMENT, "%s: argument '%s' is NULL", entry->name,
                            entry->params[i].name);
    sizes[i] = *(const int64_t *)arguments[i];
  }
  prt_status status = prt_entry_for_sizes(entry, sizes, &variant);
  return status ? status : variant->call(machine, arguments + entry->size_count);
}
