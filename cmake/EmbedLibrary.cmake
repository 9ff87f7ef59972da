# SPDX-License-Identifier: Apache-2.0
# Writes `out`: the table `library_files` with the text of each of `files` below `folder`, A/B.pk being the module A.B (see
# python/modules/module.h). The assembler takes the texts from where they lie, so that what is compiled of `out` depends on them.
function(pallasc_embed_library out folder files)
  set(text [[
// Generated of the names of the files in compiler/library/.
#include "python/modules/module.h"

#define TEXT(name, path)                                                                           \
  __asm__(".pushsection .rodata\n"                                                                 \
          ".globl " #name ", " #name "_end\n"                                                      \
          ".hidden " #name ", " #name "_end\n" #name ":\n"                                         \
          ".incbin \"" path "\"\n" #name "_end: .byte 0\n"                                         \
          ".popsection\n");                                                                        \
  extern const char name[], name##_end[]

]])
  set(table "")
  set(count 0)
  foreach(file IN LISTS files)
    file(RELATIVE_PATH module ${folder} ${file})
    string(REGEX REPLACE "\\.pk$" "" module ${module})
    string(REPLACE "/" "." module ${module})
    string(REGEX REPLACE "([\\\"])" [[\\\\\\\1]] path "${file}") # of a string in a string
    string(APPEND text "TEXT(library_text_${count}, \"${path}\");\n")
    string(APPEND table "  {\"${module}\", library_text_${count}, library_text_${count}_end},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  file(GENERATE OUTPUT ${out} CONTENT "${text}\nconst LibraryFile library_files[] = {\n${table}  {0, 0, 0},\n};\n")
endfunction()
