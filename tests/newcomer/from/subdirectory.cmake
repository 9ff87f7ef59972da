# SPDX-License-Identifier: Apache-2.0
add_subdirectory(pallasc)
