// SPDX-License-Identifier: Apache-2.0
// A Buf as the place where the text code that the runtime shares (runtime/text) puts its text.
#pragma once
#include "buf.h"
#include "base.h"
#include "text/prt_sink.h"

prt_sink buf_sink(Buf *buf);
