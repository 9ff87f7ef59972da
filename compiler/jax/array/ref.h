// SPDX-License-Identifier: Apache-2.0
// Refs as values of the program: memory that kernels read and write, reading, writing, views
// (ref.c).
#pragma once
#include "ir/core/ir.h"
#include "array.h"

void ref_init(Eval *ev);
bool value_is_ref(Eval *ev, Value v);

Value ref_get(Eval *ev, Value ref, Value index, Value mask, Value other); // V_NONE: absent
void ref_set(Eval *ev, Value ref, Value index, Value value,
             Value mask); // shape and dtype rules of JAX's swap
Value ref_new(Eval *ev, IrValue *ir, Name name);
// Of the value's class, as JAX's messages have it: Refs of kernels are tracers there.
const char *ref_class_name(Eval *ev, Value v);
// Whether the kernel or scope that made it has ended: its type is all that is left.
bool ref_has_leaked(const Ref *ref);
IrValue *ref_ir(Eval *ev,
                Value ref); // where the builder stands; raises if it may not be used any more
// Before the pending function ends: the contents of the program's refs become values of it.
void ref_settle(Eval *ev);
// The pending function is dropped: the program's refs keep the contents from before it.
void ref_forget(Eval *ev);
// jax.new_ref; contents none: jax.empty_ref. `own`: the space, if each core has its own of it; else
// SPACE_HBM.
Value ref_new_host(Eval *ev, const Aval *aval, Value contents, MemSpace own);
bool ref_is_made_by_program(const Ref *ref); // by jax.new_ref or a scope, not a kernel's own
Str ref_type_text(Eval *ev, const Ref *ref); // "Ref{float32[3]}"
void ref_end(Eval *ev, Value ref);           // jax.freeze
// A ref whose memory has no name gets that of the first parameter of the program's that it is bound
// to; in a tree, with its path: "s['acc']". NULL: none.
void ref_take_name(Eval *ev, Ref *ref, Name name);
// Refs among the arguments of a call get the names of its parameters, and in a kernel those among
// the variables of the functions around it theirs: a hook of the language.
void refs_take_names(Eval *ev, const Function *f, const Value *slots);
