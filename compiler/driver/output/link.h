// SPDX-License-Identifier: Apache-2.0
// Shared libraries (shared.c), linked by the system's C compiler.
#pragma once
#include "driver/options/options.h"
#include "interrupt.h"

// Links objects and the runtime to a shared library at `output`; an interrupt that is held ends the
// linker. The exit status.
int link_shared(Session *session, const Interrupt *held, size_t count, const Str *objects,
                Str output, Str name);
// The objects of all inputs and the runtime, linked to a shared library. The exit status.
int compile_shared(Session *session, const Options *options);
