// SPDX-License-Identifier: Apache-2.0
// The calls that an exception has left, from the inside out, each with its caller's place
// (exception_frames.c).
#pragma once
#include "base/diag.h"
#include "evaluator.h"

FrameName frame_name(Eval *ev, const Frame *frame);
// Of a traceback alone: notes do not have it.
bool frame_is_silent(DiagFrameKind kind);
// Room for more frames behind those that are there.
void exception_reserve_frames(Eval *ev, ExceptionObject *exception, size_t more);
// The place of the statement that raises it once more is one of its traceback.
void exception_raised_again(Eval *ev, ExceptionObject *exception);
