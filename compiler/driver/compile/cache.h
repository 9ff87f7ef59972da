// SPDX-License-Identifier: Apache-2.0
// --cache: a folder with what code generation made, found again by all that it depends on: IR with
// its places, sources, options, CPU, and the compiler itself. Files may be read and written by
// several processes at once; a damaged one is not found.
#pragma once
#include "driver/options/options.h"
#include "ir/core/ir.h"

typedef struct Cache Cache;

typedef struct CacheKey {
  Str text;
  uint64_t hash; // of the text
} CacheKey;

// NULL if the options ask for none, or for what only passes that run can tell; after a warning, if
// the folder cannot be used. The cache is the session's.
Cache *cache_open(Session *session, const Options *options);
// The key of what becomes of this module, before its passes. kind: what is made, and what else it
// depends on. The text is in `arena`. False after a diagnostic: an unknown CPU.
bool cache_key(Cache *cache, const Options *options, const IrModule *module,
               const CodegenOptions *codegen, Str kind, Arena *arena, CacheKey *out);
// The object, in `arena`. False if there is none.
bool cache_find(Cache *cache, const CacheKey *key, Arena *arena, Str *object);
// Keeps an object, if that can be; what is longest unused goes when there is too much.
void cache_keep(Cache *cache, const CacheKey *key, Str object);
