// SPDX-License-Identifier: Apache-2.0
// Words of messages that follow a number.
#pragma once

#define PLURAL(count) ((count) == 1 ? "" : "s") // of any type of numbers
