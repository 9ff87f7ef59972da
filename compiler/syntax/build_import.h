// SPDX-License-Identifier: Apache-2.0
// Builders of imports, and of lists of names.
#pragma once
#include "parser.h"

typedef VEC(ImportName) ImportVec; // an empty one is "*"

NameList build_names_push(Parser *parser, NameList list, Name name);
Stmt *build_import(Parser *parser, Span span, const ImportVec *names);
Stmt *build_import_from(Parser *parser, Span span, unsigned level, NameList module,
                        const ImportVec *names);
ImportVec *build_import_name(Parser *parser, Span span, NameList path, Name as);
ImportVec *build_from_name(Parser *parser, Span span, Name name, Name as);
ImportVec *build_import_star(Parser *parser);
ImportVec *build_imports_join(Parser *parser, ImportVec *names, const ImportVec *one);
unsigned build_dots(Parser *parser, Span span, unsigned dots, unsigned more);
