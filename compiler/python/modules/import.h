// SPDX-License-Identifier: Apache-2.0
// import: modules that we provide first, then files: beside the main file and the importing one,
// in the include directories, then among our stand-ins for packages of others (import.c).
#pragma once
#include "python/values/evaluator.h"

// sys.path, as the program leaves it.
List *import_path(Eval *ev);
// What `from path import name` gives of a module.
Value import_from(Eval *ev, Str path, ModuleObject *module, Name name);
Name child_module_name(Eval *ev, const ModuleObject *parent, Name name);
void module_set_file(Eval *ev, ModuleObject *module, const Module *tree);
ModuleObject *import_dotted(Eval *ev, Str dotted);
// What a program has put into sys.modules that is no module, or one of a class of its own; else
// V_UNBOUND.
Value import_stand_in(Eval *ev, Str dotted);
ModuleObject *import_known(Eval *ev, Str dotted); // NULL if it has not been imported
// Where a module would come from: a path, or "built-in"; {0} if there is none. Imports what is
// above it.
Str import_origin(Eval *ev, Str dotted);
// `name` as `from {level dots}name import` means it in a module of this package.
Str import_absolute(Eval *ev, Str package, Str name, size_t level);
// Runs the file in the module's names, sys.modules untouched.
void import_execute(Eval *ev, ModuleObject *module, Str path);
// The statements of a text that a program runs.
const Module *import_parse_text(Eval *ev, Str text, Str path);
ModuleObject *import_child(Eval *ev, ModuleObject *parent, Name name); // NULL if there is none
ModuleObject *import_provided_child(Eval *ev, ModuleObject *parent,
                                    Name name); // likewise; never a file
