// SPDX-License-Identifier: Apache-2.0
// type_lookup where the type's cache is likely to know.
#pragma once
#include "python/values/evaluator_state.h"
#include "type_lookup.h"

static inline Value type_find(Eval *ev, Type *type, Name name) {
  const TypeCache *cache = type->cache;
  size_t at = type_cache_place(name);
  if (cache && type->version == type->dict->version && cache->names[at] == name)
    return cache->values[at];
  return type_lookup(ev, type, name);
}
