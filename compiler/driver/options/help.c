// SPDX-License-Identifier: Apache-2.0
// --help and --version.
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <string.h>
#include <strings.h>
#include "ir/core/chip.h"
#include "python/values/suggest.h"
#include "completion.h"
#include "option_parser.h"

static const char *const group_titles[] = {
#define GROUP(id, title) title,
#include "options.def"
};
typedef enum Joint {
  JOINT_FLAG,
  JOINT_VALUE,
  JOINT_EQUALS,
  JOINT_MAYBE,
  JOINT_JOINED,
  JOINT_APART
} Joint;
typedef struct Entry {
  const char *spelling;
  Joint joint;
  const char *arg;
  GroupId group;
  const char *text;
} Entry;
static const Entry entries[] = {
#define OPTION(id, spelling, form, arg, group, text)                                               \
  {spelling, JOINT_##form, arg, GROUP_##group, text},
#include "options.def"
};

enum { WIDTH = 80, INDENT = 4, COLUMN = 28 };

// Prints words from column `column` on, wrapped, with `indent` in front of further lines.
static void print_wrapped(FILE *out, int column, int indent, const char *text) {
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (column > indent && column + 1 + length > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      fputc(' ', out);
      column++;
    }
    fwrite(text, 1, (size_t)length, out);
    column += length;
    text += length;
    while (*text == ' ') text++;
  }
  fputc('\n', out);
}

// ---- the parts of a page, as text and as the source of a manual page ----------------------------
typedef struct Page {
  FILE *out;
  bool is_man; // in the macros of man(7)
} Page;

// Text whose characters mean themselves. A line does not begin as a request does.
static void put_roff(FILE *out, const char *text) {
  for (bool at_start = true; *text; text++) {
    if (at_start && (*text == '.' || *text == '\'')) fputs("\\&", out);
    at_start = *text == '\n';
    switch (*text) {
    case '\\': fputs("\\e", out); break;
    case '-': fputs("\\-", out); break;
    case '\'': fputs("\\(aq", out); break;
    default: fputc(*text, out);
    }
  }
}

static void put_section(const Page *page, const char *title) {
  fprintf(page->out, page->is_man ? ".SH %s\n" : "\n%s\n", title);
}

static void put_paragraph(const Page *page, const char *text) {
  if (page->is_man) {
    fputs(".PP\n", page->out);
    put_roff(page->out, text);
    fputc('\n', page->out);
    return;
  }
  fprintf(page->out, "%*s", INDENT, "");
  print_wrapped(page->out, INDENT, INDENT, text);
}

// Lines that stay as they are.
static void put_lines(const Page *page, const char *lines) {
  if (!page->is_man) {
    fputs(lines, page->out);
    return;
  }
  fputs(".PP\n.nf\n", page->out);
  put_roff(page->out, lines);
  fputs(".fi\n", page->out);
}

static void put_term(const Page *page, const char *term, const char *text) {
  if (page->is_man) {
    fputs(".TP\n.B ", page->out);
    put_roff(page->out, term);
    fputc('\n', page->out);
    put_roff(page->out, text);
    fputc('\n', page->out);
    return;
  }
  int used = fprintf(page->out, "%*s%s", INDENT, "", term);
  if (used >= COLUMN - 1) {
    fputc('\n', page->out);
    used = 0;
  }
  fprintf(page->out, "%*s", COLUMN - used, "");
  print_wrapped(page->out, COLUMN, COLUMN, text);
}

static void put_entry(const Page *page, const Entry *entry) {
  static const char *const before[] = {"", " ", "=", "[=", "", " "}, *const after[] = {"",  "", "",
                                                                                       "]", "", ""};
  char term[80];
  snprintf(term, sizeof term, "%s%s%s%s", entry->spelling, before[entry->joint], entry->arg,
           after[entry->joint]);
  put_term(page, term, entry->text);
}

static void put_group(const Page *page, GroupId group) {
  for (size_t i = 0; i < COUNT_OF(entries); i++)
    if (entries[i].group == group && entries[i].text[0]) put_entry(page, &entries[i]);
}

// ---- commands -----------------------------------------------------------------------------------
typedef struct CommandHelp {
  const char *name;
  GroupId group; // of options that are its own
  const char *synopsis, *text;
} CommandHelp;
static const CommandHelp commands[] = {
    {"run", GROUP_RUN,
     "    pallasc run FILE.pk [-- ARGUMENT...]\n"
     "    pallasc run -m MODULE [ARGUMENT...]\n"
     "    pallasc run FILE.pk:FUNCTION [X.npy | VALUE | NAME=VALUE]... [-o Z.npy]...\n",
     "Runs the file as a program: its statements, with __name__ == \"__main__\", what stands "
     "behind "
     "-- in sys.argv. -m runs a module, as Python does: one of the program, or json.tool, timeit, "
     "doctest. "
     "A file that only defines functions prints nothing: name one behind a colon, "
     "and it is called on arrays in .npy files and on Python expressions; results without a -o are "
     "printed."},
    {"check", GROUP_RUN,
     "    pallasc check FILE.pk[:FUNCTION]... [X.npy | VALUE | NAME=VALUE]...\n",
     "Runs the file as run does, with every check on: indices, slices and blocks in bounds, no "
     "read "
     "of memory never written, semaphores that end at zero, no deadlock. Functions with annotated "
     "array parameters are called on made-up inputs; several are named by a colon each, "
     "add.pk:add:mul. A type as an argument, f32[8,128], is a made-up input as well. What is found "
     "is an error, exit status 1."},
    {"test", GROUP_TEST, "    pallasc test [OPTION...] [FILE[::NAME] | FOLDER]...\n",
     "Runs the tests of files, and of files test_*.py, *_test.py (or .pk) in folders, by default "
     "the "
     "current one: functions and classes of pytest, with fixtures, parameters and marks, cases of "
     "unittest and absl. Each file is a process of its own. With --check all that they run is "
     "checked. Exit status 1 if one fails, 4 for wrong options, 5 if there is none."},
    {"bench", GROUP_BENCH,
     "    pallasc bench FILE.pk:FUNCTION ['TYPES'] [--sweep NAME=FIRST:LAST] [--svg FILE]\n",
     "Times a function, compiled as for an object, on made-up arrays, such as pallasc bench "
     "norm.pk:norm 'f32[n,1024], f32[1024]' --sweep n=256:4096; without TYPES, its annotations say "
     "them. Prints the least time of a call and the median, and the bytes of its arguments and "
     "results and the arithmetic it asks for a second, each as a share of what loops that do "
     "nothing else reach on this machine. What fits into caches may have more than all of the "
     "bytes."},
    {"compile", GROUP_OUTPUT,
     "    pallasc FILE.pk -o FILE.o -h FILE.h\n"
     "    pallasc -shared FILE.pk... -o libFILE.so\n",
     "Makes an object and a C header, or a shared library, of the functions whose array parameters "
     "are annotated, such as def add(x: f32[512, 512], y: f32[512, 512]), or of those that --entry "
     "names. The word compile may be left out. The object is linked with -lpallasrt -lm -pthread."},
};

static bool print_command(Str topic, FILE *out) {
  for (size_t i = 0; i < COUNT_OF(commands); i++) {
    if (!str_equal(topic, str_from_c(commands[i].name))) continue;
    fprintf(out, "%s\n", commands[i].synopsis);
    const Page page = {out, false};
    put_paragraph(&page, commands[i].text);
    put_section(&page, group_titles[commands[i].group]);
    put_group(&page, commands[i].group);
    fputs("\n    'pallasc --help' has all options.\n\n", out);
    return true;
  }
  return false;
}

static void put_environment(const Page *page) {
  put_term(page, "PYTEST_ADDOPTS", "With test: words that stand before those of the command line");
  put_term(page, "PALLASC_PATH", "Folders to look for imported modules in, separated by :");
  put_term(page, "VIRTUAL_ENV",
           "An environment whose JAX has the kernels that programs import from it");
  put_term(page, "PALLASC_CACHE", "A folder, as --cache takes it");
  put_term(page, "CC", "The compiler that links shared libraries; default cc");
  put_term(page, "PRT_THREADS", "Threads that compiled kernels run on");
  put_term(page, "NO_COLOR", "If set, diagnostics have no colour");
  put_term(page, "CLICOLOR_FORCE",
           "If set, and not 0, they have it where there is no terminal, too");
}

static void put_description(const Page *page) {
  const char *between = page->is_man ? "" : "\n";
  put_paragraph(page, "A FILE is a Python file (.pk or .py) that uses JAX and Pallas; - is "
                      "standard input. Its functions with "
                      "annotated array parameters, such as def add(x: f32[512, 512], y: f32[512, "
                      "512]), or those that --entry "
                      "names, become C functions of the object. The object is linked with the "
                      "runtime, libpallasrt.");
  fputs(between, page->out);
  put_paragraph(page, "With run and a FUNCTION, shapes and element types come from the .npy "
                      "files. A file of raw bytes, as "
                      "ml_dtypes writes them, is taken as bfloat16 (two bytes) or uint8 (one "
                      "byte), unless its type stands in "
                      "front: int4:X.npy. Other arguments are Python expressions. Results without "
                      "a -o are printed.");
  fputs(between, page->out);
  put_paragraph(page, "With check and no arguments, the file is run as a program, and entry "
                      "points are called on made-up "
                      "inputs; a function is, too, on inputs of types, such as 'f32[8,128]'. A "
                      "finding is an error.");
}

static void put_statuses(const Page *page) {
  put_term(page, "0", "Done");
  put_term(page, "1", "The source or the kernel is at fault; so is a finding");
  put_term(page, "2", "The command line is at fault (4 with test)");
  put_term(page, "3", "The machine is at fault: files, memory, tools");
  put_term(page, "5", "With test: there was no test to run");
}

static void put_examples(const Page *page) {
  put_lines(page, "    pallasc add.pk -o add.o -h add.h && cc app.c add.o -lpallasrt -lm -pthread\n"
                  "    pallasc -O3 -MD --entry 'mm(bf16[1024,1024], bf16[1024,1024], bm=256)' "
                  "mm.pk\n"
                  "    pallasc run add.pk:add x.npy y.npy -o z.npy\n"
                  "    pallasc check softmax.pk:softmax x.npy\n"
                  "    pallasc --emit=schedule matmul.pk\n");
}

static void put_page(const Page *page) {
  put_paragraph(page, "pallasc - compile Pallas TPU kernels to native code");
  put_section(page, "SYNOPSIS");
  put_lines(page, "    pallasc [OPTION...] FILE.pk...               an object, FILE.o, for each\n"
                  "    pallasc FILE.pk -o FILE.o -h FILE.h          an object and its C header\n"
                  "    pallasc -shared FILE.pk... -o libFILE.so     a shared library\n"
                  "    pallasc run FILE.pk [-- ARGUMENT...]         run the file as a program\n"
                  "    pallasc run FILE.pk:FUNCTION [X.npy | VALUE | NAME=VALUE]... [-o Z.npy]...\n"
                  "                                                 call one function\n"
                  "    pallasc check FILE.pk[:FUNCTION]... [X.npy | VALUE | NAME=VALUE]...\n"
                  "                                                 the same with every check on\n"
                  "    pallasc test [FILE | FOLDER]...              run tests of pytest, unittest "
                  "and absl\n"
                  "    pallasc bench FILE.pk:FUNCTION ['TYPES']     time one function\n"
                  "    pallasc help [TOPIC...]                      this text, or what there is on "
                  "a topic\n");
  put_section(page, "DESCRIPTION");
  put_description(page);
  for (int group = 0; group < GROUP_COUNT; group++) {
    put_section(page, group_titles[group]);
    put_group(page, (GroupId)group);
  }
  put_section(page, "ARGUMENTS IN FILES");
  put_paragraph(page, "@FILE stands for the words of FILE. Behind -- nothing is an option.");
  put_section(page, "ENVIRONMENT");
  put_environment(page);
  put_section(page, "EXIT STATUS");
  put_statuses(page);
  put_section(page, "EXAMPLES");
  put_examples(page);
}

void help_print(FILE *out) {
  fputs("NAME\n", out);
  put_page(&(Page){out, false});
}

// The source of pallasc(1): the same, and what there is on each command.
static void print_man(FILE *out) {
  const Page page = {out, true};
  fprintf(out, ".TH PALLASC 1 \"\" \"pallasc %s\" \"User Commands\"\n.SH NAME\n", PALLASC_VERSION);
  put_page(&page);
  put_section(&page, "COMMANDS");
  for (size_t i = 0; i < COUNT_OF(commands); i++)
    put_term(&page, commands[i].name, commands[i].text);
}

// ---- topics ------------------------------------------------------------------------------------
const char *const help_topics[] = {"run",         "check",    "test",   "bench", "compile",
                                   "options",     "warnings", "passes", "tpu",   "target-cpu",
                                   "environment", "man",      "bash",   NULL};

static const struct {
  const char *name, *text;
  bool on;
} warnings[] = {
#define WARNING(id, name, on, text) {name, text, on},
#include "base/warnings.def"
#undef WARNING
};

static void put_warning(FILE *out, size_t which) {
  fprintf(out, "    -W%-20s %s%s\n", warnings[which].name, warnings[which].text,
          warnings[which].on ? " (on by default)" : "");
}

static void print_warnings(FILE *out) {
  for (size_t i = 0; i < COUNT_OF(warnings); i++) put_warning(out, i);
}

static void skip(Str *s, const char *prefix) {
  Str p = str_from_c(prefix);
  if (str_starts_with(*s, p)) *s = (Str){s->data + p.len, s->len - p.len};
}

// A warning as a message names it, -Wperf, as an option does, -Wno-perf or -Werror=perf, or bare.
static bool print_warning(Str topic, FILE *out) {
  static const char *const before[] = {"-", "W", "no-", "error="};
  for (size_t i = 0; i < COUNT_OF(before); i++) skip(&topic, before[i]);
  for (size_t i = 0; i < COUNT_OF(warnings); i++)
    if (str_equal(topic, str_from_c(warnings[i].name))) return put_warning(out, i), true;
  return false;
}

static void print_passes(FILE *out) {
  static const char *const texts[] = {
#define PASS(id, name, function, needs, breaks, skipped, text) text,
#include "passes/passes.def"
#undef PASS
  };
  for (int i = 0; i < PASS_COUNT; i++) {
    int used = fprintf(out, "    %-14s", pass_name((PassId)i));
    print_wrapped(out, used, used, texts[i]);
  }
}

static void print_chips(Arena *arena, FILE *out) {
  size_t count;
  const Chip *chips = chip_table(&count);
  fputs("    chip    cores  VMEM      SMEM      HBM       SparseCores  other names\n", out);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "    %-7s %5d  %4lld MiB  %4lld KiB  %4lld GiB  %-11d  %.*s\n", chips[i].name,
            chips[i].cores, (long long)chips[i].vmem_bytes >> 20,
            (long long)chips[i].smem_bytes >> 10, (long long)chips[i].hbm_bytes >> 30,
            chips[i].sparse_cores, STR_FMT(chip_other_names(arena, &chips[i])));
}

// An option with or without its dashes, and what stands behind its =.
static bool print_option(Str topic, FILE *out) {
  bool found = false;
  const char *equals = memchr(topic.data, '=', topic.len);
  if (equals) topic.len = (size_t)(equals - topic.data);
  for (size_t i = 0; i < COUNT_OF(entries); i++) {
    const char *bare = entries[i].spelling + strspn(entries[i].spelling, "-");
    if (!entries[i].text[0] ||
        (!str_equal(topic, str_from_c(entries[i].spelling)) && !str_equal(topic, str_from_c(bare))))
      continue;
    put_entry(&(Page){out, false}, &entries[i]);
    found = true;
  }
  return found;
}

// A heading of the page, or its first words, in any case.
static bool begins_heading(Str topic, const char *title) {
  size_t length = strlen(title);
  return topic.len && topic.len <= length && !strncasecmp(topic.data, title, topic.len) &&
         (topic.len == length || title[topic.len] == ' ');
}

static bool print_heading(Str topic, FILE *out) {
  const Page page = {out, false};
  if (begins_heading(topic, "EXIT STATUS")) return put_statuses(&page), true;
  if (begins_heading(topic, "EXAMPLES")) return put_examples(&page), true;
  for (int group = 0; group < GROUP_COUNT; group++)
    if (begins_heading(topic, group_titles[group])) return put_group(&page, (GroupId)group), true;
  return false;
}

static bool no_topic(Session *session, Str topic) {
  Suggestion s;
  suggestion_init(&s, topic);
  Buf list;
  buf_init(&list, session->arena);
  for (size_t i = 0; help_topics[i]; i++) {
    buf_printf(&list, "%s, ", help_topics[i]);
    suggestion_try(&s, str_from_c(help_topics[i]));
  }
  for (size_t i = 0; i < COUNT_OF(entries); i++)
    if (entries[i].text[0] && strlen(entries[i].spelling) > 2) {
      suggestion_try(&s, str_from_c(entries[i].spelling));
      suggestion_try(&s, str_from_c(entries[i].spelling + strspn(entries[i].spelling, "-")));
    }
  const char *near =
      s.best.len ? str_format(session->arena, "; did you mean '%.*s'?", STR_FMT(s.best)).data : "";
  diag_error(session, (Span){0},
             "there is no help on '%.*s'%s%s %.*severy option and every heading of 'pallasc help'",
             STR_FMT(topic), near, s.best.len ? " Topics are" : "; topics are",
             STR_FMT(buf_view(&list)));
  return false;
}

bool help_topic(Session *session, Str topic, FILE *out) {
  if (print_command(topic, out)) return true;
  bool found = print_option(topic, out);
  if (str_equal(topic, STR("options")) || str_equal(topic, STR("help")))
    return help_print(out), true;
  if (str_equal(topic, STR("warnings"))) return print_warnings(out), true;
  if (str_equal(topic, STR("passes"))) return print_passes(out), true;
  if (str_equal(topic, STR("environment"))) return put_environment(&(Page){out, false}), true;
  if (str_equal(topic, STR("man"))) return print_man(out), true;
  if (str_equal(topic, STR("bash"))) return completion_print(session->arena, out), true;
  if (str_equal(topic, STR("tpu"))) return print_chips(session->arena, out), true;
  if (str_equal(topic, STR("target-cpu")))
    return put_paragraph(&(Page){out, false}, codegen_cpu_names(session->arena).data), true;
  return found || print_warning(topic, out) || print_heading(topic, out) ||
         no_topic(session, topic);
}

void help_version(Arena *arena, FILE *out) {
  fprintf(out, "pallasc %s\n", PALLASC_VERSION);
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  char *triple = LLVMGetDefaultTargetTriple();
  fprintf(out, "LLVM %u.%u.%u\nhost %s, CPU %.*s\n", major, minor, patch, triple,
          STR_FMT(codegen_host_cpu(arena)));
  LLVMDisposeMessage(triple);
}
