// SPDX-License-Identifier: Apache-2.0
// Builders of import statements, and of the name lists they share with global and nonlocal.
#include <string.h>

#include "build_import.h"
#include "build_node.h"
#include "build_stmt.h"

NameList build_names_push(Parser *parser, NameList list, Name name) {
  if (list.count == 0 || (list.count >= 2 && (list.count & (list.count - 1)) == 0)) {
    Name *items = ARENA_ARRAY(parser->arena, Name, list.count ? list.count * 2 : 2);
    if (list.count) memcpy(items, list.items, list.count * sizeof *items);
    list.items = items;
  }
  list.items[list.count++] = name;
  return list;
}

unsigned build_dots(Parser *parser, Span span, unsigned dots, unsigned more) {
  if (dots > 1000) {
    build__syntax_error(parser, span, "a relative import of more than 1000 levels");
    return dots;
  }
  return dots + more;
}

static ImportVec *one_name(Parser *parser, ImportName name) {
  ImportVec *names = ARENA_NEW(parser->scratch, ImportVec);
  VEC_PUSH(parser->scratch, names, name);
  return names;
}

ImportVec *build_import_name(Parser *parser, Span span, NameList path, Name as) {
  ImportName name = {.path = path.items, .path_count = path.count, .as = as, .span = span};
  name.bind = (NameRef){.name = as ? as : path.items[0], .index = NO_SLOT};
  return one_name(parser, name);
}

ImportVec *build_from_name(Parser *parser, Span span, Name name, Name as) {
  return build_import_name(parser, span, build_names_push(parser, (NameList){0}, name), as);
}

ImportVec *build_import_star(Parser *parser) { return ARENA_NEW(parser->scratch, ImportVec); }

ImportVec *build_imports_join(Parser *parser, ImportVec *names, const ImportVec *one) {
  VEC_PUSH(parser->scratch, names, one->items[0]);
  return names;
}

static ImportName *keep(Parser *parser, const ImportVec *names) {
  if (!names->count) return NULL;
  return arena_dup(parser->arena, names->items, names->count * sizeof *names->items);
}

Stmt *build_import(Parser *parser, Span span, const ImportVec *names) {
  Stmt *stmt = build_stmt(parser, ST_IMPORT, span);
  stmt->import.names = keep(parser, names);
  stmt->import.count = names->count;
  return stmt;
}

Stmt *build_import_from(Parser *parser, Span span, unsigned level, NameList module,
                        const ImportVec *names) {
  Stmt *stmt = build_stmt(parser, ST_IMPORT_FROM, span);
  stmt->import_from.level = level;
  stmt->import_from.module = module.items;
  stmt->import_from.module_count = module.count;
  stmt->import_from.names = keep(parser, names);
  stmt->import_from.count = names->count;
  stmt->import_from.is_star = names->count == 0;
  return stmt;
}
