// SPDX-License-Identifier: Apache-2.0
// Texts and places as JSON.
#pragma once
#include "buf.h"
#include "session.h"

void json_string(Str s, Buf *buf); // quoted; what is not UTF-8 becomes U+FFFD
// `,"file":…,"line":…,"column":…`, and the end; nothing for nowhere.
void json_place(const Session *session, Span span, bool with_end, Buf *buf);
