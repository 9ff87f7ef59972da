# SPDX-License-Identifier: Apache-2.0
include(FetchContent)
FetchContent_Declare(Pallasc GIT_REPOSITORY ${PALLASC_GIT} GIT_TAG main OVERRIDE_FIND_PACKAGE)
find_package(Pallasc REQUIRED)
