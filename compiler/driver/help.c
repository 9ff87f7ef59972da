// SPDX-License-Identifier: Apache-2.0
// --help and --version.
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <string.h>
#include "ir/core/chip.h"
#include "options.h"

static const char *const group_titles[] = {
#define GROUP(id, title) title,
#include "options.def"
};
typedef enum Joint { JOINT_FLAG, JOINT_VALUE, JOINT_EQUALS, JOINT_MAYBE, JOINT_JOINED } Joint;
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

static void print_entry(FILE *out, const Entry *entry) {
  static const char *const before[] = {"", " ", "=", "[=", ""}, *const after[] = {"", "", "", "]",
                                                                                  ""};
  int used = fprintf(out, "%*s%s%s%s%s", INDENT, "", entry->spelling, before[entry->joint],
                     entry->arg, after[entry->joint]);
  if (used >= COLUMN - 1) {
    fputc('\n', out);
    used = 0;
  }
  fprintf(out, "%*s", COLUMN - used, "");
  print_wrapped(out, COLUMN, COLUMN, entry->text);
}

static void print_paragraph(FILE *out, const char *text) {
  fprintf(out, "%*s", INDENT, "");
  print_wrapped(out, INDENT, INDENT, text);
}

// ---- commands -----------------------------------------------------------------------------------
typedef struct CommandHelp {
  const char *name, *synopsis, *text;
} CommandHelp;
static const CommandHelp commands[] = {
    {"run",
     "    pallasc run FILE.pk [-- ARGUMENT...]\n"
     "    pallasc run FILE.pk:FUNCTION [X.npy | VALUE | NAME=VALUE]... [-o Z.npy]...\n",
     "Runs the file as a program: its statements, with __name__ == \"__main__\", what stands "
     "behind "
     "-- in sys.argv. A file that only defines functions prints nothing: name one behind a colon, "
     "and it is called on arrays in .npy files and on Python expressions; results without a -o are "
     "printed."},
    {"check", "    pallasc check FILE.pk[:FUNCTION]... [X.npy | VALUE | NAME=VALUE]...\n",
     "Runs the file as run does, with every check on: indices, slices and blocks in bounds, no "
     "read "
     "of memory never written, semaphores that end at zero, no deadlock. Functions with annotated "
     "array parameters are called on made-up inputs; several are named by a colon each, "
     "add.pk:add:mul. What is found is an error, exit status 1."},
    {"test", "    pallasc test [OPTION...] [FILE[::NAME] | FOLDER]...\n",
     "Runs the tests of files, and of files test_*.py, *_test.py (or .pk) in folders, by default "
     "the "
     "current one: functions and classes of pytest, with fixtures, parameters and marks, cases of "
     "unittest and absl. Each file is a process of its own. With --check all that they run is "
     "checked. Exit status 1 if one fails, or there is none."},
    {"bench",
     "    pallasc bench FILE.pk:FUNCTION ['TYPES'] [--sweep NAME=FIRST:LAST] [--svg FILE]\n",
     "Times a function, compiled as for an object, on made-up arrays, such as pallasc bench "
     "norm.pk:norm 'f32[n,1024], f32[1024]' --sweep n=256:4096; without TYPES, its annotations say "
     "them. Prints the least time of a call and the median, and the bytes of its arguments and "
     "results and the arithmetic it asks for a second, each as a share of what loops that do "
     "nothing else reach on this machine. What fits into caches may have more than all of the "
     "bytes."},
    {"compile",
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
    print_paragraph(out, commands[i].text);
    fputc('\n', out);
    return true;
  }
  return false;
}

static void print_environment(FILE *out) {
  fputs("    PALLASC_PATH            Folders to look for imported modules in, separated by :\n"
        "    PALLASC_CACHE           A folder, as --cache takes it\n"
        "    CC                      The compiler that links shared libraries; default cc\n"
        "    PRT_THREADS             Threads that compiled kernels run on\n"
        "    NO_COLOR                If set, diagnostics have no colour\n",
        out);
}

void help_print(FILE *out) {
  fputs("NAME\n", out);
  print_paragraph(out, "pallasc - compile Pallas TPU kernels to native code");
  fputs("\nSYNOPSIS\n"
        "    pallasc [OPTION...] FILE.pk...               an object, FILE.o, for each\n"
        "    pallasc FILE.pk -o FILE.o -h FILE.h          an object and its C header\n"
        "    pallasc -shared FILE.pk... -o libFILE.so     a shared library\n"
        "    pallasc run FILE.pk [-- ARGUMENT...]         run the file as a program\n"
        "    pallasc run FILE.pk:FUNCTION [X.npy | VALUE | NAME=VALUE]... [-o Z.npy]...\n"
        "                                                 call one function\n"
        "    pallasc check FILE.pk[:FUNCTION]... [X.npy | VALUE | NAME=VALUE]...\n"
        "                                                 the same with every check on\n"
        "    pallasc test [FILE | FOLDER]...              run tests of pytest, unittest and absl\n"
        "    pallasc bench FILE.pk:FUNCTION ['TYPES']     time one function\n"
        "    pallasc help [TOPIC...]                      this text, or what there is on a topic\n"
        "\nDESCRIPTION\n",
        out);
  print_paragraph(out, "A FILE is a Python file (.pk or .py) that uses JAX and Pallas; - is "
                       "standard input. Its functions with "
                       "annotated array parameters, such as def add(x: f32[512, 512], y: f32[512, "
                       "512]), or those that --entry "
                       "names, become C functions of the object. The object is linked with the "
                       "runtime, libpallasrt.");
  fputc('\n', out);
  print_paragraph(out, "With run and a FUNCTION, shapes and element types come from the .npy "
                       "files. A file of raw bytes, as "
                       "ml_dtypes writes them, is taken as bfloat16 (two bytes) or uint8 (one "
                       "byte), unless its type stands in "
                       "front: int4:X.npy. Other arguments are Python expressions. Results without "
                       "a -o are printed.");
  fputc('\n', out);
  print_paragraph(out, "With check and no arguments, the file is run as a program, and entry "
                       "points are called on made-up "
                       "inputs. A finding is an error.");
  for (int group = 0; group < GROUP_COUNT; group++) {
    fprintf(out, "\n%s\n", group_titles[group]);
    for (size_t i = 0; i < COUNT_OF(entries); i++)
      if ((int)entries[i].group == group && entries[i].text[0]) print_entry(out, &entries[i]);
  }
  fputs("\nARGUMENTS IN FILES\n", out);
  print_paragraph(out, "@FILE stands for the words of FILE. Behind -- nothing is an option.");
  fputs("\nENVIRONMENT\n", out);
  print_environment(out);
  fputs("\nEXIT STATUS\n"
        "    0                       Done\n"
        "    1                       The source or the kernel is at fault; so is a finding\n"
        "    2                       The command line is at fault\n"
        "    3                       The machine is at fault: files, memory, tools\n"
        "\nEXAMPLES\n"
        "    pallasc add.pk -o add.o -h add.h && cc app.c add.o -lpallasrt -lm -pthread\n"
        "    pallasc -O3 -MD --entry 'mm(bf16[1024,1024], bf16[1024,1024], bm=256)' mm.pk\n"
        "    pallasc run add.pk:add x.npy y.npy -o z.npy\n"
        "    pallasc check softmax.pk:softmax x.npy\n"
        "    pallasc --emit=schedule matmul.pk\n",
        out);
}

// ---- topics ------------------------------------------------------------------------------------
static void print_warnings(FILE *out) {
  static const struct {
    const char *name, *text;
    bool on;
  } table[] = {
#define WARNING(id, name, on, text) {name, text, on},
#include "base/warnings.def"
#undef WARNING
  };
  for (size_t i = 0; i < COUNT_OF(table); i++)
    fprintf(out, "    -W%-20s %s%s\n", table[i].name, table[i].text,
            table[i].on ? " (on by default)" : "");
}

static void print_passes(FILE *out) {
  static const char *const texts[] = {
#define PASS(id, name, function, needs, breaks, text) text,
#include "passes/passes.def"
#undef PASS
  };
  for (int i = 0; i < PASS_COUNT; i++) {
    int used = fprintf(out, "    %-14s", pass_name((PassId)i));
    print_wrapped(out, used, used, texts[i]);
  }
}

static void print_chips(FILE *out) {
  size_t count;
  const Chip *chips = chip_table(&count);
  fputs("    chip    cores  VMEM      SMEM      HBM       SparseCores\n", out);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "    %-7s %5d  %4lld MiB  %4lld KiB  %4lld GiB  %d\n", chips[i].name,
            chips[i].cores, (long long)chips[i].vmem_bytes >> 20,
            (long long)chips[i].smem_bytes >> 10, (long long)chips[i].hbm_bytes >> 30,
            chips[i].sparse_cores);
}

// An option with or without its dashes.
static bool print_option(Str topic, FILE *out) {
  bool found = false;
  for (size_t i = 0; i < COUNT_OF(entries); i++) {
    const char *bare = entries[i].spelling + strspn(entries[i].spelling, "-");
    if (!entries[i].text[0] ||
        (!str_equal(topic, str_from_c(entries[i].spelling)) && !str_equal(topic, str_from_c(bare))))
      continue;
    print_entry(out, &entries[i]);
    found = true;
  }
  return found;
}

bool help_topic(Session *session, Str topic, FILE *out) {
  bool found = print_command(topic, out);
  found |= print_option(topic, out);
  if (str_equal(topic, STR("options")) || str_equal(topic, STR("help")))
    return help_print(out), true;
  if (str_equal(topic, STR("warnings"))) return print_warnings(out), true;
  if (str_equal(topic, STR("passes"))) return print_passes(out), true;
  if (str_equal(topic, STR("environment"))) return print_environment(out), true;
  if (str_equal(topic, STR("tpu"))) return print_chips(out), true;
  if (str_equal(topic, STR("target-cpu"))) {
    fputs("    native", out);
    print_wrapped(out, 10, INDENT, codegen_cpu_names(session->arena).data);
    return true;
  }
  if (!found)
    diag_error(session, (Span){0},
               "there is no help on '%.*s'; topics are run, check, test, bench, compile, options, "
               "warnings, "
               "passes, tpu, "
               "target-cpu, environment, and every option",
               STR_FMT(topic));
  return found;
}

void help_version(FILE *out) {
  fprintf(out, "pallasc %s\n", PALLASC_VERSION);
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  char *cpu = LLVMGetHostCPUName(), *triple = LLVMGetDefaultTargetTriple();
  fprintf(out, "LLVM %u.%u.%u\nhost %s, CPU %s\n", major, minor, patch, triple, cpu);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(triple);
}
