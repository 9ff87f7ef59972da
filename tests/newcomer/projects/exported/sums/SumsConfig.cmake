# SPDX-License-Identifier: Apache-2.0
include(CMakeFindDependencyMacro)
find_dependency(Pallasc)
include(${CMAKE_CURRENT_LIST_DIR}/SumsTargets.cmake)
