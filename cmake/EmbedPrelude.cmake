# SPDX-License-Identifier: Apache-2.0
# Writes OUT: the table `prelude_files` with the text of each of FILES (see python/modules/module.h).
set(text "// Generated from compiler/library/*.pk.\n#include \"python/modules/module.h\"\n\n")
set(table "")
foreach(file ${FILES})
  get_filename_component(stem ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
  string(APPEND text "static const unsigned char prelude_${stem}[] = {\n${bytes}0};\n")
  string(APPEND table "  {\"${stem}\", (const char *)prelude_${stem}, sizeof prelude_${stem} - 1},\n")
endforeach()
string(APPEND text "\nconst PreludeFile prelude_files[] = {\n${table}  {0, 0, 0},\n};\n")
file(WRITE ${OUT} "${text}")
