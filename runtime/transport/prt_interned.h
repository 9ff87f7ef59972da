// SPDX-License-Identifier: Apache-2.0
// Constants of any call on the wire, which stay until the rank leaves.
#pragma once
#include "prt_wire.h"

void prt__put_site(prt_wire *wire, const prt_site *site); // may be NULL
void prt__put_names(prt_wire *wire, const char *const *names, int32_t count);
// One that is sent again is the same.
const prt_site *prt__get_site(prt_words *words, prt_ranks *r);
const char *const *prt__get_names(prt_words *words, prt_ranks *r, int32_t count);
const char *prt__get_word(prt_words *words, prt_ranks *r); // a text
const int64_t *prt__get_kept_numbers(prt_words *words, prt_ranks *r, int32_t *count);
void prt__interned_free(prt_interned *list);
