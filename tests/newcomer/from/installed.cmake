# SPDX-License-Identifier: Apache-2.0
# As some write it.
find_package(pallasc REQUIRED)
