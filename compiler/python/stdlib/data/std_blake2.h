// SPDX-License-Identifier: Apache-2.0
// BLAKE2b and BLAKE2s (RFC 7693) as hash functions in the form of Nettle's (std_blake2.c).
#pragma once
#include <nettle/nettle-meta.h>
#include "base/base.h"

extern const struct nettle_hash blake2b_hash, blake2s_hash;

// Begins a hash of this kind by its parameter block, of eight words, and the key in a block of its
// own; no key is empty.
void blake2_start(const struct nettle_hash *kind, void *context, Str parameters, Str key,
                  bool is_last_node);
