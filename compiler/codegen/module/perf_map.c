// SPDX-License-Identifier: Apache-2.0
// --perf-map: the functions of code in this process, for profilers: /tmp/perf-PID.map, a line a
// function with its address, size and name, as perf reads it (tools/perf/Documentation/
// jit-interface.txt of Linux). In: an object that was handed to ORC, and the object as bytes.
#define _GNU_SOURCE
#include "perf_map.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <llvm-c/Object.h>
#include <string.h>
#include <unistd.h>
#include "gen_entry.h"

typedef struct PerfMap {
  LLVMOrcLLJITRef lljit;
  LLVMBinaryRef object;
  FILE *out;
  uint64_t base; // of the section that holds all code of an object; 0: not known yet
} PerfMap;

typedef void Visit(PerfMap *map, LLVMSymbolIteratorRef symbol);

static void each_function(PerfMap *map, Visit *visit) {
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(map->object);
  LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(map->object);
  for (; !LLVMObjectFileIsSymbolIteratorAtEnd(map->object, symbol); LLVMMoveToNextSymbol(symbol)) {
    LLVMMoveToContainingSection(section, symbol);
    if (LLVMObjectFileIsSectionIteratorAtEnd(map->object, section)) continue; // of another object
    const char *name = LLVMGetSectionName(section);
    if (name && strcmp(name, ".text") == 0 && LLVMGetSymbolSize(symbol) > 0) visit(map, symbol);
  }
  LLVMDisposeSymbolIterator(symbol);
  LLVMDisposeSectionIterator(section);
}

// Some functions are the object's own; those that are not have names that can be looked up.
static void find_base(PerfMap *map, LLVMSymbolIteratorRef symbol) {
  LLVMOrcExecutorAddress address = 0;
  if (map->base || !str_starts_with(str_from_c(LLVMGetSymbolName(symbol)), STR(CALL_PREFIX)))
    return;
  LLVMErrorRef error = LLVMOrcLLJITLookup(map->lljit, &address, LLVMGetSymbolName(symbol));
  if (error)
    LLVMConsumeError(error);
  else
    map->base = address - LLVMGetSymbolAddress(symbol);
}

static void write_function(PerfMap *map, LLVMSymbolIteratorRef symbol) {
  fprintf(map->out, "%" PRIx64 " %" PRIx64 " %s\n", map->base + LLVMGetSymbolAddress(symbol),
          LLVMGetSymbolSize(symbol), LLVMGetSymbolName(symbol));
}

static void write_all(PerfMap *map, Str object) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(object.data, object.len, "kernel", false);
  char *message = NULL;
  map->object = LLVMCreateBinary(buffer, NULL, &message);
  LLVMDisposeMessage(message);
  if (map->object) {
    each_function(map, find_base);
    if (map->base) each_function(map, write_function);
    LLVMDisposeBinary(map->object);
  }
  LLVMDisposeMemoryBuffer(buffer);
}

bool perf_map_add(Session *session, LLVMOrcLLJITRef lljit, Str object) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
  PerfMap map = {.lljit = lljit, .out = fd < 0 ? NULL : fdopen(fd, "a")};
  if (map.out) write_all(&map, object);
  if (map.out && fclose(map.out) == 0) return true;
  diag_error(session, (Span){0}, "cannot write '%s': %s", path, strerror(errno));
  return false;
}
