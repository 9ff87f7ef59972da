// SPDX-License-Identifier: Apache-2.0
// What a loop carries while a copy into it is in flight, as one of the semaphores says that the
// launch gives as well: memory that a value does not follow. The loop is written out, if its turns
// are known; else these copies are made where they are started, which is one of the times at which
// a chip may do it.
#pragma once
#include "pytree_leaves.h"

enum { MAX_TURNS_IN_FLIGHT = 4096 };

// Whether copies into what is carried are in flight.
bool flight_carried(Eval *ev, const Leaves *carry);
// Makes them where they are started; refuses those of which that cannot be.
void flight_land(Eval *ev, const Leaves *carry, const char *what);
