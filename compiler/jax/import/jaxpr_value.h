// SPDX-License-Identifier: Apache-2.0
// Values of a jaxpr's text as objects of the language: jaxprs are callable, records have attributes
// (jaxpr_value.c).
#pragma once
#include "jaxpr.h"
#include "python/values/evaluator.h"

// The types of these objects.
typedef struct JaxprTypes {
  Type *tree, *record, *leaf;
} JaxprTypes;

// A jaxpr: called with its operands it gives a tuple of its results.
typedef struct JaxprObject {
  Object base;
  const JaxprTree *tree;
} JaxprObject;

void jaxpr_types_init(Eval *ev, JaxprTypes *types);
Value jaxpr_value(Eval *ev, const JaxprTypes *types, const JaxprValue *value);
// An array of known data.
Value jaxpr_array(Eval *ev, const JaxprValue *data);
// The value with each leaf #i in it replaced by leaves[i]; raises for a leaf that is not there.
Value jaxpr_fill(Eval *ev, const JaxprTypes *types, Value value, size_t count, const Value *leaves);
// The class that a record is written as; false if the value is none.
bool jaxpr_record_kind(Eval *ev, Value value, Str *kind);
