// SPDX-License-Identifier: Apache-2.0
// Class statements: bases, keywords, the body, the metatype (class.c).
#pragma once
#include "python/objects/type.h"

void class_execute(Eval *ev, Stmt *stmt);
