# SPDX-License-Identifier: Apache-2.0
find_package(Pallasc REQUIRED)
