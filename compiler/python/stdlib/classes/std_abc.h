// SPDX-License-Identifier: Apache-2.0
// The module abc: ABCMeta as a native metatype, ABC, abstractmethod (std_abc.c).
#pragma once
#include "python/values/evaluator.h"

Type *abc_meta(Eval *ev);
void abc_update(Eval *ev, Type *type); // sets __abstractmethods__
bool abc_subclass_check(Eval *ev, Type *cls, Type *sub);
Type *abc_class_new(Eval *ev, Type *meta, const char *module, const char *name, Tuple *bases,
                    Dict *dict);
