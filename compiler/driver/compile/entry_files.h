// SPDX-License-Identifier: Apache-2.0
// Entry points and constants of several sources.
#pragma once
#include "driver/options/options.h"
#include "jax/program/entry.h"

// Those of --entry that belong to the source of this path. False after a diagnostic.
bool entry_files_requests(Session *session, const Options *options, Str source, EntryRequest **out,
                          size_t *count);
// Of each -D: whether another source assigns the name, or says that none does. NULL: of none.
const bool *entry_files_defines(Session *session, const Options *options, Str source);
