# SPDX-License-Identifier: Apache-2.0
include(FetchContent)
FetchContent_Declare(pallasc SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/pallasc)
FetchContent_MakeAvailable(pallasc)
