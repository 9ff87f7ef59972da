// SPDX-License-Identifier: Apache-2.0
// Builders of string literals (strings.c).
#pragma once
#include "parser.h"

// The pieces of an f-string: text with its span, or a field.
typedef struct FPart {
  Span span;
  bool is_raw;
  FStringPart field;
} FPart;
typedef VEC(FPart) FParts;
// Literals side by side; `fstring` is NULL for a plain one.
typedef struct StringPiece {
  Span span;
  FParts *fstring;
} StringPiece;
typedef VEC(StringPiece) StringPieces;

StringPieces *build_pieces(Parser *parser, StringPieces *pieces, Span span, FParts *fstring);
Expr *build_string(Parser *parser, Span span, const StringPieces *pieces);
FParts *build_fparts(Parser *parser);
FParts *build_ftext(Parser *parser, FParts *parts, Span span, unsigned is_raw);
FParts *build_ffield(Parser *parser, FParts *parts, const FPart *field);
// `equals` is the place of the "=" of {x=}, or NULL.
FPart *build_field(Parser *parser, Span open, Expr *value, const Span *equals, unsigned conversion,
                   Expr *format);
unsigned build_conversion(Parser *parser, Span span, Name name);
Expr *build_format(Parser *parser, Span span, const FParts *parts);
