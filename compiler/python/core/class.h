// SPDX-License-Identifier: Apache-2.0
// Class statements: bases, keywords, the body, the metatype, annotations (class.c).
#pragma once
#include "python/objects/type.h"

void class_execute(Eval *ev, Stmt *stmt);
Dict *class_annotations(Eval *ev, Type *type); // evaluates them when first asked for
