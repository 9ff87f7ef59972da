# SPDX-License-Identifier: Apache-2.0
include(FetchContent)
FetchContent_Declare(pallasc GIT_REPOSITORY ${PALLASC_GIT} GIT_TAG main)
FetchContent_MakeAvailable(pallasc)
