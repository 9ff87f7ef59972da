// SPDX-License-Identifier: Apache-2.0
// What can be assigned to, deleted, or annotated.
#pragma once
#include "parser.h"

typedef enum TargetUse { TARGET_ASSIGN, TARGET_DELETE, TARGET_AUGMENT, TARGET_ANNOTATE } TargetUse;
// Whether the expression can stand there; reports if not.
bool build__target(Parser *parser, Expr *expr, TargetUse use);
// "a call", "a number", …
const char *build__describe(const Expr *expr);
