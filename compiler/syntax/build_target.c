// SPDX-License-Identifier: Apache-2.0
// Targets are parsed as expressions; here is what can stand on the left of an assignment.
#include "build_node.h"
#include "build_target.h"

const char *build__describe(const Expr *expr) {
  static const char *const names[EX_COUNT] = {
      [EX_INT] = "a number",
      [EX_FLOAT] = "a number",
      [EX_IMAGINARY] = "a number",
      [EX_STR] = "a string",
      [EX_BYTES] = "a bytes literal",
      [EX_JOINED_STR] = "an f-string",
      [EX_NONE] = "None",
      [EX_ELLIPSIS] = "'...'",
      [EX_NAME] = "a name",
      [EX_ATTRIBUTE] = "an attribute",
      [EX_SUBSCRIPT] = "a subscript",
      [EX_SLICE] = "a slice",
      [EX_CALL] = "a call",
      [EX_BINARY] = "an expression",
      [EX_UNARY] = "an expression",
      [EX_BOOL_OP] = "an expression",
      [EX_COMPARE] = "a comparison",
      [EX_IF_EXP] = "a conditional expression",
      [EX_LAMBDA] = "a lambda",
      [EX_TUPLE] = "a tuple",
      [EX_LIST] = "a list",
      [EX_SET] = "a set",
      [EX_DICT] = "a dict",
      [EX_LIST_COMP] = "a comprehension",
      [EX_SET_COMP] = "a comprehension",
      [EX_DICT_COMP] = "a comprehension",
      [EX_GENERATOR] = "a generator expression",
      [EX_STARRED] = "a starred expression",
      [EX_NAMED] = "an assignment expression",
      [EX_REFUSED] = "a mistake",
      [EX_ERROR] = "a mistake",
  };
  if (expr->kind == EX_BOOL) return expr->boolean ? "True" : "False";
  return names[expr->kind];
}

static bool refuse(Parser *parser, const Expr *expr, TargetUse use) {
  static const char *const verbs[] = {[TARGET_ASSIGN] = "assign to",
                                      [TARGET_DELETE] = "delete",
                                      [TARGET_AUGMENT] = "use an augmented assignment on",
                                      [TARGET_ANNOTATE] = "annotate"};
  if (expr->kind == EX_ERROR) return false; // spoken of already
  build__syntax_error(parser, expr->span, "cannot %s %s", verbs[use], build__describe(expr));
  return false;
}

static bool sequence_target(Parser *parser, Expr *expr, TargetUse use) {
  const Expr *starred = NULL;
  for (size_t i = 0; i < expr->elements.count; i++) {
    Expr *item = expr->elements.items[i];
    if (item->kind == EX_STARRED && use == TARGET_ASSIGN) {
      if (starred) {
        build__syntax_error(parser, item->span,
                            "an assignment can have one starred target in a list, not two");
        return false;
      }
      starred = item;
      item = item->starred;
    }
    if (!build__target(parser, item, use)) return false;
  }
  return true;
}

bool build__target(Parser *parser, Expr *expr, TargetUse use) {
  switch (expr->kind) {
  case EX_NAME:
  case EX_ATTRIBUTE:
  case EX_SUBSCRIPT: return true;
  case EX_TUPLE:
  case EX_LIST:
    if (use == TARGET_ASSIGN || use == TARGET_DELETE) return sequence_target(parser, expr, use);
    return refuse(parser, expr, use);
  case EX_STARRED:
    if (use != TARGET_ASSIGN) return refuse(parser, expr, use);
    build__syntax_error(parser, expr->span, "a starred target must stand in a list or tuple");
    return false;
  default: return refuse(parser, expr, use);
  }
}
