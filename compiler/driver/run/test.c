// SPDX-License-Identifier: Apache-2.0
// pallasc test. In: files and folders. Out: what the tests print, file by file in order, then one
// account of all.
//
// A file's tests run in a process of their own, with those of the files behind it if they share a
// fixture that lives as long as the session. It is what `run` (or `check`) makes of a program of a
// few lines; its runner, the stand-in for pytest, writes what came out into a file that the
// process was given: lines "count N OUTCOME", "summary TEXT" and others that begin with a word,
// then "sections" and the texts of what failed; end_mark stands between files. Where a project has
// settings for pytest, or tests are chosen by what came out the last time, the runner is asked
// first which files there are; and it receives last how each test ended, for the next time.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/plural.h"
#include "base/buf.h"
#include "driver/output/interrupt.h"
#include "driver/output/output.h"
#include "driver/run/launcher.h"
#include "jit_backend.h"
#include "program.h"
#include "test_root.h"

// Whatever lies on the search path, the runner is ours.
static const char runner_text[] = "import sys\n"
                                  "path = sys.path[:]\n"
                                  "sys.path.clear()\n"
                                  "import absl\n"
                                  "import pytest\n"
                                  "sys.path.extend(path)\n"
                                  "sys.exit(pytest.main())\n";
static const char lister_text[] = "import sys\n"
                                  "path = sys.path[:]\n"
                                  "sys.path.clear()\n"
                                  "import pytest\n"
                                  "sys.path.extend(path)\n"
                                  "sys.exit(pytest._session.report_files())\n";
static const char keeper_text[] = "import sys\n"
                                  "path = sys.path[:]\n"
                                  "sys.path.clear()\n"
                                  "import pytest\n"
                                  "sys.path.extend(path)\n"
                                  "sys.exit(pytest._session.keep_ended())\n";
enum { LINE_WIDTH = 80 };
static const char end_mark[] = "\x1e"
                               "end "; // before the name of a file whose report ends here
enum { NO_TESTS = 5, STOPPED = 2 };    // as pytest's: there was nothing to be run; Ctrl-C

// What a test can end with, in the order of the account.
static const char *const outcomes[] = {"failed",  "passed",  "skipped",  "collected", "deselected",
                                       "xfailed", "xpassed", "warnings", "error"};
enum { FAILED = 0, COLLECTED = 3, DESELECTED, WARNINGS = COUNT_OF(outcomes) - 2, ERROR };

// What a process is for.
typedef enum Task {
  RUN_TESTS, // those of a file
  COLLECT,   // those of a file are named, which fails if it cannot be read
  LIST_FILES,
  KEEP_ENDED, // what the next run is to know of this one
} Task;

typedef struct TestFile {
  Task task;
  Str argument;  // FILE or FILE::NAME of RUN_TESTS and COLLECT
  StrList nodes; // NAMEs of the same file that were given besides
  StrList only;  // the tests of it in their order; none: all
  pid_t child;
  FILE *report, *printed; // printed: NULL if it goes to standard output at once
} TestFile;

// How long a part of a test took; what: "call     FILE::NAME".
typedef struct Duration {
  double seconds;
  Str what;
} Duration;

typedef struct Tests {
  Session *session;
  const Options *options;
  VEC(TestFile) files;
  long long counts[COUNT_OF(outcomes)];
  Buf errors, sections, warned, summary,
      cases;      // errors: beside the tests themselves; cases: what --junitxml says of each test
  Str listed;     // the last file that --collect-only has shown
  bool has_run;   // there was a test, also if it was not called
  bool are_tried; // the tests were named, none is run
  Str root;       // the project's folder, where that is not the current one, or empty
  bool has_settings; // for pytest, of the project
  bool has_reported; // what was asked for in place of a run
  Str stopped;       // what ended it before all were run
  StrList ended;     // how and which, by turns, for KEEP_ENDED
  uint64_t maxfail;  // 0: all are run
  Str stepwise;      // what is reported when `maxfail` have failed; or empty
  Interrupt held;
  VEC(Duration) durations;
  uint64_t slowest;                   // how many of them are reported: UINT64_MAX for all
  double least;                       // those that took less are not
  bool says_least;                    // whether the command line or the settings say so
  bool hides_summary, hides_warnings; // at the end
  int status;
} Tests;

static long long failures(const Tests *t) { return t->counts[FAILED] + t->counts[ERROR]; }

// ---- which files --------------------------------------------------------------------------------
static bool is_test_name(const char *name) {
  Str stem = str_from_c(name);
  if (!str_ends_with(stem, STR(".py")) && !str_ends_with(stem, STR(".pk"))) return false;
  stem.len -= 3;
  return str_starts_with(stem, STR("test_")) || str_ends_with(stem, STR("_test"));
}

// Folders that hold no tests of one's own.
static bool is_passed_over(const char *name) {
  static const char *const names[] = {"__pycache__", "build", "dist", "node_modules", "venv"};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(name, names[i]) == 0) return true;
  return name[0] == '.';
}

static bool is_folder(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static Str without_slashes(Session *session, Str path) {
  while (path.len > 1 && path.data[path.len - 1] == '/') path.len--;
  return str_copy(session->arena, path);
}

// FILE of FILE::NAME, or all.
static Str file_of(Str argument) {
  size_t len = 0;
  while (len < argument.len &&
         !str_starts_with((Str){argument.data + len, argument.len - len}, STR("::")))
    len++;
  return (Str){argument.data, len};
}

// NAME of it, or nothing.
static Str node_of(Str argument) {
  size_t begin = file_of(argument).len + strlen("::");
  return begin < argument.len ? (Str){argument.data + begin, argument.len - begin} : (Str){0};
}

// Of FILE::NAME or a folder.
static Str path_of(Tests *t, Str argument) {
  return without_slashes(t->session, file_of(argument));
}

static bool has_node(const TestFile *file, Str node) {
  Str first = node_of(file->argument);
  bool found = !first.len || str_equal(first, node); // all of the file, or this one
  for (size_t i = 0; i < file->nodes.count; i++) found |= str_equal(file->nodes.items[i], node);
  return found;
}

// A file that is named twice is run once, with all that was named of it.
static void add_file(Tests *t, Str argument) {
  Str path = file_of(argument), node = node_of(argument);
  for (size_t i = 0; i < t->files.count; i++) {
    TestFile *file = &t->files.items[i];
    if (!str_equal(file_of(file->argument), path)) continue;
    if (!node.len)
      *file = (TestFile){.argument = argument};
    else if (!has_node(file, node))
      VEC_PUSH(t->session->arena, &file->nodes, node);
    return;
  }
  VEC_PUSH(t->session->arena, &t->files, (TestFile){.argument = argument});
}

// Those of --ignore are the same file or folder, however they are spelled.
static bool is_ignored(const Tests *t, Str path) {
  const StrList *ignored = &t->options->test_ignored;
  struct stat mine, other;
  for (size_t i = 0; i < ignored->count; i++)
    if (stat(path.data, &mine) == 0 && stat(ignored->items[i].data, &other) == 0 &&
        mine.st_dev == other.st_dev && mine.st_ino == other.st_ino)
      return true;
  return false;
}

static int wanted_entry(const struct dirent *entry) { return !is_passed_over(entry->d_name); }

enum { MAX_FOLDERS_DEEP = 64 }; // a link that leads upwards ends there

static void add_folder(Tests *t, Str path, int depth) {
  struct dirent **entries;
  int count = depth > MAX_FOLDERS_DEEP ? -1 : scandir(path.data, &entries, wanted_entry, alphasort);
  for (int i = 0; i < count; i++) {
    Str name = str_copy(t->session->arena, str_from_c(entries[i]->d_name));
    Str inner = str_equal(path, STR("."))
                    ? name
                    : str_format(t->session->arena, "%.*s/%.*s", STR_FMT(path), STR_FMT(name));
    free(entries[i]);
    if (is_ignored(t, inner)) continue;
    if (is_folder(inner.data))
      add_folder(t, inner, depth + 1);
    else if (is_test_name(name.data))
      add_file(t, inner);
  }
  if (count >= 0) free(entries);
}

static bool are_inputs_there(Tests *t) {
  const StrList *inputs = &t->options->inputs;
  bool good = true;
  for (size_t i = 0; i < inputs->count; i++) {
    Str path = path_of(t, inputs->items[i]);
    if (access(path.data, F_OK) == 0) continue;
    diag_error(t->session, (Span){0}, "cannot read '%.*s': %s", STR_FMT(path), strerror(errno));
    good = false;
  }
  return good;
}

static void add_input(Tests *t, Str argument) {
  Str path = path_of(t, argument);
  if (!is_folder(path.data))
    add_file(t, argument);
  else
    add_folder(t, path, 0);
}

static void walk_inputs(Tests *t) {
  const StrList *inputs = &t->options->inputs;
  for (size_t i = 0; i < inputs->count; i++) add_input(t, inputs->items[i]);
  if (inputs->count == 0) add_folder(t, STR("."), 0);
}

// A file that the runner lists, unless it or a folder around it is left out.
static void add_reported(Tests *t, Str argument) {
  Str path = path_of(t, argument);
  for (; path.len; path.len--)
    if ((path.data[path.len] == '/' || path.data[path.len] == 0) &&
        is_ignored(t, str_copy(t->session->arena, path)))
      return;
  add_file(t, argument);
}

// Tests of a file of which others may have come before, or come later.
static void add_group(Tests *t, Str argument) {
  VEC_PUSH(t->session->arena, &t->files, (TestFile){.argument = argument});
}

// ---- a process ----------------------------------------------------------------------------------
static Str folder_of(Str path) {
  while (path.len && path.data[path.len - 1] != '/') path.len--;
  return path.len ? (Str){path.data, path.len - 1} : STR(".");
}

static void push_all(Arena *arena, StrList *to, const StrList *words) {
  for (size_t i = 0; i < words->count; i++) VEC_PUSH(arena, to, words->items[i]);
}

// The files whose tests may come behind these in one process: all, if they run one after the other
// and whole.
static void push_next_files(const Tests *t, const TestFile *file, StrList *to) {
  if (file->task != RUN_TESTS || t->options->jobs > 1 || t->options->test_lists) return;
  const TestFile *end = t->files.items + t->files.count;
  for (const TestFile *f = file; f < end; f++)
    if (f->only.count || f->nodes.count) return;
  for (const TestFile *next = file + 1; next < end; next++)
    VEC_PUSH(t->session->arena, to,
             str_format(t->session->arena, "--then=%.*s", STR_FMT(next->argument)));
}

// The options of a program that runs the tests of one file, or does something else.
static Options program_options(const Tests *t, const TestFile *file, Str program) {
  Arena *arena = t->session->arena;
  bool runs = file->task == RUN_TESTS || file->task == COLLECT;
  Options o = *t->options;
  o.command = o.check ? COMMAND_CHECK : COMMAND_RUN;
  o.judged = true;
  o.inputs = (StrList){0};
  o.inputs_before_dashes = 1;
  VEC_PUSH(arena, &o.inputs, program);
  Str report = str_format(arena, "--report=%d", fileno(file->report));
  if (!runs) {
    o.transport = STR("none");
    push_all(arena, &o.inputs, &t->options->inputs);
  } else {
    VEC_PUSH(arena, &o.inputs, file->argument);
  }
  VEC_PUSH(arena, &o.inputs, report);
  if (t->root.len) VEC_PUSH(arena, &o.inputs, str_format(arena, "--root=%.*s", STR_FMT(t->root)));
  if (o.quiet) VEC_PUSH(arena, &o.inputs, STR("-q"));
  push_all(arena, &o.inputs, &o.test_words);
  if (file->task == COLLECT) VEC_PUSH(arena, &o.inputs, STR("--try"));
  if (file->task == KEEP_ENDED) {
    VEC_PUSH(arena, &o.inputs, STR("--ended"));
    push_all(arena, &o.inputs, &t->ended);
  }
  for (size_t i = 0; i < t->options->test_ignored.count && file->task == LIST_FILES; i++)
    VEC_PUSH(arena, &o.inputs,
             str_format(arena, "--ignore=%.*s", STR_FMT(t->options->test_ignored.items[i])));
  for (size_t i = 0; i < file->nodes.count; i++)
    VEC_PUSH(arena, &o.inputs, str_format(arena, "--node=%.*s", STR_FMT(file->nodes.items[i])));
  for (size_t i = 0; i < file->only.count; i++)
    VEC_PUSH(arena, &o.inputs, str_format(arena, "--only=%.*s", STR_FMT(file->only.items[i])));
  push_next_files(t, file, &o.inputs);
  if (runs && t->listed.len)
    VEC_PUSH(arena, &o.inputs, str_format(arena, "--after=%.*s", STR_FMT(t->listed)));
  if (t->maxfail && runs)
    VEC_PUSH(arena, &o.inputs,
             str_format(arena, "--maxfail=%lld", (long long)t->maxfail - failures(t)));
  return o;
}

NORETURN static void run_child(Tests *t, const TestFile *file) {
  Session *session = t->session;
  if (file->printed) {
    dup2(fileno(file->printed), STDOUT_FILENO);
    dup2(fileno(file->printed), STDERR_FILENO);
  }
  Str folder = t->root.len ? t->root : folder_of(file->argument); // whose files they may use
  Str program = str_format(session->arena, "%.*s/<tests>", STR_FMT(folder));
  static const char *const programs[] = {[RUN_TESTS] = runner_text,
                                         [COLLECT] = runner_text,
                                         [LIST_FILES] = lister_text,
                                         [KEEP_ENDED] = keeper_text};
  SourceText text = {.path = program, .text = str_from_c(programs[file->task]), .is_builtin = true};
  session->texts = &text;
  session->text_count = 1;
  Options o = program_options(t, file, program);
  ProgramCounts counts;
  int status = program_run(session, &o, &counts);
  if (!output_flush(session)) status = STATUS_MACHINE;
  diag_flush(session);
  fflush(NULL);
  _exit(status);
}

static bool start(Tests *t, TestFile *file) {
  bool apart = file->task == COLLECT || (t->options->jobs > 1 && file->task == RUN_TESTS);
  file->report = tmpfile();
  file->printed = apart ? tmpfile() : NULL;
  if (file->report && (!apart || file->printed)) {
    fflush(NULL);
    pid_t parent = getpid();
    file->child = fork();
    if (file->child >= 0) setpgid(file->child, file->child); // in both: whoever comes first
    if (file->child == 0) {
      interrupt_child(parent);
      run_child(t, file);
    }
    if (file->child > 0) return true;
  }
  diag_error(t->session, (Span){0}, "cannot start the tests of '%.*s': %s", STR_FMT(file->argument),
             strerror(errno));
  t->status = STATUS_MACHINE;
  return false;
}

// ---- what came out ------------------------------------------------------------------------------
static void copy_all(FILE *from, FILE *to) {
  char piece[1 << 14];
  rewind(from);
  for (size_t got; (got = fread(piece, 1, sizeof piece, from)) > 0;) fwrite(piece, 1, got, to);
}

static void take_count(Tests *t, const char *text) {
  char *end;
  long long count = strtoll(text, &end, 10);
  size_t length = strcspn(end + (*end == ' '), "\n");
  Str name = {end + (*end == ' '), length};
  for (size_t i = 0; i < COUNT_OF(outcomes); i++)
    if (str_equal(name, str_from_c(outcomes[i]))) t->counts[i] += count;
}

// "0.012345 call FILE::NAME"
static void take_duration(Tests *t, const char *text) {
  char *when;
  double seconds = strtod(text, &when);
  when += *when == ' ';
  size_t length = strcspn(when, " ");
  const char *name = when + length + (when[length] == ' ');
  Str what = str_format(t->session->arena, "%-8.*s %.*s", (int)length, when,
                        (int)strcspn(name, "\n"), name);
  VEC_PUSH(t->session->arena, &t->durations, ((Duration){seconds, what}));
}

static Str rest_of_line(const Tests *t, const char *text) {
  return str_copy(t->session->arena, (Str){text, strcspn(text, "\n")});
}

static void add_ended(Tests *t, Str how, Str name) {
  VEC_PUSH(t->session->arena, &t->ended, how);
  VEC_PUSH(t->session->arena, &t->ended, name);
}

// "passed FILE::NAME"
static void take_ended(Tests *t, const char *text) {
  size_t length = strcspn(text, " \n");
  add_ended(t, str_copy(t->session->arena, (Str){text, length}),
            rest_of_line(t, text + length + (text[length] == ' ')));
}

// "1 TEXT": with how many failures it ends, and what is then printed where that is --stepwise. The
// command line's own limit beats that of the project's settings.
static void take_limit(Tests *t, const char *text) {
  char *rest;
  uint64_t most = strtoull(text, &rest, 10);
  t->stepwise = rest_of_line(t, rest + (*rest == ' '));
  if (!t->maxfail || t->stepwise.len) t->maxfail = most;
}

// What the project's settings hide at the end; the command line may hide it as well.
static void take_hidden(Tests *t, const char *what) {
  if (strcmp(what, "summary\n") == 0) t->hides_summary = true;
  if (strcmp(what, "warnings\n") == 0) t->hides_warnings = true;
}

// How many durations the project's settings ask for, 0: all; the command line comes first.
static void take_slowest(Tests *t, const char *text) {
  uint64_t most = strtoull(text, NULL, 10);
  if (!t->slowest) t->slowest = most ? most : UINT64_MAX;
}

static void take_least(Tests *t, const char *text) {
  t->least = strtod(text, NULL);
  t->says_least = true;
}

// A line of the summary that several files may have: it stands there once.
static void take_note(Tests *t, const char *line) {
  if (strstr(str_copy(t->session->arena, buf_view(&t->summary)).data, line)) return;
  buf_str(&t->summary, str_from_c(line));
  t->counts[WARNINGS]++;
}

static void take_summary(Tests *t, const char *line) { buf_c(&t->summary, line); }
static void take_error(Tests *t, const char *line) { buf_c(&t->errors, line); }
static void take_warned(Tests *t, const char *line) { buf_c(&t->warned, line); }
static void take_case(Tests *t, const char *line) { buf_c(&t->cases, line); }
static void take_file(Tests *t, const char *text) { add_reported(t, rest_of_line(t, text)); }
static void take_group(Tests *t, const char *text) { add_group(t, rest_of_line(t, text)); }
static void take_listed(Tests *t, const char *text) { t->listed = rest_of_line(t, text); }
static void take_stopped(Tests *t, const char *text) { t->stopped = rest_of_line(t, text); }
static void take_ran(Tests *t, const char *text UNUSED) { t->has_run = true; }
static void take_shown(Tests *t, const char *text UNUSED) { t->has_reported = true; }

static void take_only(Tests *t, const char *text) {
  VEC_PUSH(t->session->arena, &t->files.items[t->files.count - 1].only, rest_of_line(t, text));
}

// What a line of a report begins with, and who takes the rest of it.
static const struct {
  const char *word;
  void (*take)(Tests *t, const char *rest);
} report_lines[] = {
    {"count ", take_count},   {"summary ", take_summary}, {"noted ", take_note},
    {"hides ", take_hidden},  {"slowest ", take_slowest}, {"least ", take_least},
    {"file ", take_file},     {"error ", take_error},     {"listed ", take_listed},
    {"ran\n", take_ran},      {"shown\n", take_shown},    {"group ", take_group},
    {"only ", take_only},     {"ended ", take_ended},     {"stops ", take_limit},
    {"warned ", take_warned}, {"case ", take_case},       {"stopped ", take_stopped},
    {"took ", take_duration}};

static bool take_line(Tests *t, const char *line) {
  for (size_t i = 0; i < COUNT_OF(report_lines); i++) {
    size_t length = strlen(report_lines[i].word);
    if (strncmp(line, report_lines[i].word, length) != 0) continue;
    report_lines[i].take(t, line + length);
    return true;
  }
  return false;
}

// Gives how many files it is of, but the last.
static size_t take_report(Tests *t, FILE *report) {
  char *line = NULL;
  size_t room = 0, ended = 0;
  bool in_sections = false;
  rewind(report);
  for (ssize_t length; (length = getline(&line, &room, report)) > 0;) {
    if (strncmp(line, end_mark, sizeof end_mark - 1) == 0)
      ended++, in_sections = false;
    else if (in_sections)
      buf_str(&t->sections, (Str){line, (size_t)length});
    else if (!take_line(t, line))
      in_sections = strcmp(line, "sections\n") == 0;
  }
  free(line);
  return ended;
}

// For an attribute. What is no character of XML 1.0 is a question mark.
static Str xml_escaped(Arena *arena, Str text) {
  Buf out;
  buf_init(&out, arena);
  for (size_t i = 0; i < text.len; i++) switch (text.data[i]) {
    case '&': buf_printf(&out, "&amp;"); break;
    case '<': buf_printf(&out, "&lt;"); break;
    case '>': buf_printf(&out, "&gt;"); break;
    case '"': buf_printf(&out, "&quot;"); break;
    default: {
      bool is_bad = (unsigned char)text.data[i] < ' ' || (text.data[i] & 0x80);
      buf_printf(&out, "%c", is_bad ? '?' : text.data[i]);
    }
    }
  return buf_view(&out);
}

static void add_error(Tests *t, const TestFile *file, const char *why) {
  t->counts[ERROR]++;
  add_ended(t, STR("failed"), path_of(t, file->argument));
  buf_printf(&t->summary, "ERROR %.*s - %s\n", STR_FMT(file->argument), why);
  Str name = xml_escaped(t->session->arena, file->argument);
  buf_printf(&t->cases,
             "<testcase classname=\"\" name=\"%.*s\"><error message=\"%s\"/></testcase>\n",
             STR_FMT(name), why);
}

// How the process ended, where its report does not say it.
static void judge(Tests *t, const TestFile *file, int status, bool has_failed) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT && interrupt_came(&t->held)) {
    t->stopped = STR("KeyboardInterrupt"); // it did not come to its next step in time
    t->status = STOPPED;
  } else if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    add_error(
        t, file,
        str_format(t->session->arena, "ended by signal %d (%s)", signal, strsignal(signal)).data);
  } else if (t->stopped.len) {
    t->status = WEXITSTATUS(status);
  } else if (WEXITSTATUS(status) == STATUS_TEST_USAGE) {
    t->status = STATUS_TEST_USAGE;
  } else if (WEXITSTATUS(status) == STATUS_MACHINE) {
    add_error(t, file, "the machine is at fault");
    t->status = STATUS_MACHINE;
  } else if (WEXITSTATUS(status) == STATUS_FAULT && !has_failed) {
    add_error(t, file, "what it ran was at fault");
  }
}

// Gives how many files behind it have run in its process, too.
static size_t finish(Tests *t, const TestFile *file) {
  int status = 0;
  if (file->task == KEEP_ENDED) // short, and also after an interrupt
    waitpid(file->child, &status, 0);
  else
    interrupt_wait_child(&t->held, file->child, SIGINT, &status);
  if (file->printed) {
    bool is_wrong = WIFEXITED(status) && WEXITSTATUS(status) == STATUS_TEST_USAGE;
    if (file->task != COLLECT || is_wrong) copy_all(file->printed, is_wrong ? stderr : stdout);
    fclose(file->printed);
  }
  long long before = failures(t);
  size_t more = take_report(t, file->report);
  fclose(file->report);
  if (file->task != KEEP_ENDED) // what that is at fault at, it has reported
    judge(t, file + more, status, failures(t) > before);
  return more;
}

// ---- all of them --------------------------------------------------------------------------------
static bool has_limit(const Tests *t) { return t->maxfail && (uint64_t)failures(t) >= t->maxfail; }

static bool is_over(const Tests *t) {
  return t->status == STATUS_TEST_USAGE || t->stopped.len || has_limit(t);
}

// Ends what was started and is not to be reported.
static void drop(const TestFile *file) {
  kill(file->child, SIGTERM);
  waitpid(file->child, NULL, 0);
}

// Those that are asked for, or that the project's settings name.
static bool find_files(Tests *t) {
  // The settings may say that modules are named: the runner, which reads them, judges then.
  if (!t->options->test_names_modules && !t->has_settings && !are_inputs_there(t)) return false;
  TestFile lister = {.task = LIST_FILES};
  if (!t->has_settings && !t->options->test_asks) walk_inputs(t);
  // Where there is none the runner looks, too: it knows the options.
  if (!t->files.count && start(t, &lister)) finish(t, &lister);
  return t->status == 0;
}

static void run_all(Tests *t) {
  // A list goes on from where the file before has left it.
  bool is_apart = t->options->jobs > 1 && !t->options->test_lists;
  size_t jobs = is_apart ? (size_t)t->options->jobs : 1, started = 0, reported = 0;
  for (bool good = true; good && reported < t->files.count && !is_over(t);) {
    while (good && started < t->files.count && started < reported + jobs)
      if ((good = start(t, &t->files.items[started]))) started++;
    if (reported < started) {
      reported += 1 + finish(t, &t->files.items[reported]);
      if (started < reported) started = reported;
    }
  }
  for (; reported < started; reported++) drop(&t->files.items[reported]);
}

// What ended it before all were run, if nobody has said it.
static void tell_why_stopped(Tests *t) {
  if (t->stopped.len || (!t->are_tried && !has_limit(t))) return;
  if (t->are_tried && t->counts[ERROR] && !has_limit(t)) {
    const char *more = PLURAL(t->counts[ERROR]);
    t->stopped = str_format(t->session->arena, "Interrupted: %lld error%s during collection",
                            t->counts[ERROR], more);
    t->status = STOPPED;
    return;
  }
  if (!has_limit(t)) return;
  t->stopped = t->stepwise.len
                   ? t->stepwise
                   : str_format(t->session->arena, "stopping after %lld failures", failures(t));
  if (!t->status) t->status = t->stepwise.len ? STOPPED : STATUS_FAULT;
}

static void init_account(Tests *t) {
  Arena *arena = t->session->arena;
  buf_init(&t->errors, arena);
  buf_init(&t->sections, arena);
  buf_init(&t->warned, arena);
  buf_init(&t->cases, arena);
  buf_init(&t->summary, arena);
}

static void set_task(Tests *t, Task task) {
  for (size_t i = 0; i < t->files.count; i++) t->files.items[i].task = task;
}

// Runs nothing if a file cannot be read. A file alone finds that when it is run.
static void try_all(Tests *t) {
  if (t->files.count < 2 || t->options->test_lists) return;
  Tests tried = *t;
  tried.are_tried = true;
  init_account(&tried);
  set_task(&tried, COLLECT);
  run_all(&tried);
  set_task(&tried, RUN_TESTS);
  if (!tried.counts[ERROR] && !is_over(&tried)) return;
  tried.counts[COLLECTED] = 0;
  *t = tried;
}

// The next run knows of this one.
static void keep_ended(Tests *t) {
  TestFile keeper = {.task = KEEP_ENDED};
  if (!t->ended.count || t->options->test_lists || t->options->test_forgets) return;
  int status = t->status;
  Str stopped = t->stopped;
  if (start(t, &keeper)) finish(t, &keeper);
  t->stopped = stopped;
  if (status) t->status = status;
}

static void print_line_of(char mark, const char *text) {
  int length = (int)strlen(text) + 2, left = length < LINE_WIDTH ? (LINE_WIDTH - length) / 2 : 0,
      right = length < LINE_WIDTH ? LINE_WIDTH - length - left : 0;
  for (int i = 0; i < left; i++) putchar(mark);
  printf(" %s ", text);
  for (int i = 0; i < right; i++) putchar(mark);
  putchar('\n');
}

static void print_line(const char *text) { print_line_of('=', text); }

static int by_seconds(const void *a, const void *b) {
  double x = ((const Duration *)a)->seconds, y = ((const Duration *)b)->seconds;
  return (x < y) - (x > y);
}

static void print_durations(const Tests *t) {
  uint64_t most = t->slowest;
  if (!most) return;
  size_t count = t->durations.count < most ? t->durations.count : (size_t)most, hidden = 0;
  if (t->durations.count)
    qsort(t->durations.items, t->durations.count, sizeof *t->durations.items, by_seconds);
  print_line(
      most == UINT64_MAX
          ? "slowest durations"
          : str_format(t->session->arena, "slowest %llu durations", (unsigned long long)most).data);
  for (size_t i = 0; i < count; i++) {
    const Duration *d = &t->durations.items[i];
    bool is_shown = d->seconds >= t->least;
    hidden += !is_shown;
    if (is_shown) printf("%.2fs %.*s\n", d->seconds, STR_FMT(d->what));
  }
  if (hidden)
    printf("\n(%zu durations < %gs hidden.%s)\n", hidden, t->least,
           t->says_least ? "" : "  Use -vv to show these durations.");
}

// Of a run that only lists them.
static void report_collected(const Tests *t, Buf *totals) {
  long long count = t->counts[COLLECTED], out = t->counts[DESELECTED];
  if (!count)
    buf_printf(totals, "no tests collected");
  else if (out)
    buf_printf(totals, "%lld/%lld tests collected", count, count + out);
  else
    buf_printf(totals, "%lld test%s collected", count, PLURAL(count));
  if (out) buf_printf(totals, " (%lld deselected)", out);
}

static void print_account(Tests *t, double seconds) {
  Str sections = buf_view(&t->sections), summary = buf_view(&t->summary),
      warned = buf_view(&t->warned);
  bool shows = !t->hides_summary;
  Str errors = buf_view(&t->errors);
  if (errors.len && shows) {
    print_line("ERRORS");
    printf("%.*s", STR_FMT(errors));
  }
  if (sections.len && shows) {
    print_line("FAILURES");
    printf("%.*s", STR_FMT(sections));
  }
  if (warned.len && shows && !t->hides_warnings) {
    print_line("warnings summary");
    printf("%.*s", STR_FMT(warned));
  }
  print_durations(t);
  if (summary.len && shows) {
    print_line("short test summary info");
    printf("%.*s", STR_FMT(summary));
  }
  if (t->stopped.len) print_line_of('!', t->stopped.data);
  Buf totals;
  buf_init(&totals, t->session->arena);
  bool lists = t->options->test_lists;
  if (lists) report_collected(t, &totals);
  for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
    if (!t->counts[i] || (lists && (i == COLLECTED || i == DESELECTED))) continue;
    bool is_one = t->counts[i] == 1, is_warning = strcmp(outcomes[i], "warnings") == 0;
    buf_printf(&totals, "%s%lld %s%s", totals.len ? ", " : "", t->counts[i],
               is_warning && is_one ? "warning" : outcomes[i], i == ERROR && !is_one ? "s" : "");
  }
  buf_printf(&totals, "%s in %.2fs", totals.len ? "" : "no tests ran", seconds);
  print_line(buf_view(&totals).data);
}

static long long count_of(const Tests *t, const char *outcome) {
  for (size_t i = 0; i < COUNT_OF(outcomes); i++)
    if (strcmp(outcomes[i], outcome) == 0) return t->counts[i];
  BUG("outcome %s", outcome);
}

// The file of --junitxml. An xfailed test is a skipped one there.
static void write_junit(Tests *t, double seconds) {
  Arena *arena = t->session->arena;
  Buf text;
  buf_init(&text, arena);
  long long skipped = count_of(t, "skipped") + count_of(t, "xfailed");
  long long tests = failures(t) + count_of(t, "passed") + count_of(t, "xpassed") + skipped;
  buf_printf(&text,
             "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites name=\"pallasc test\">\n"
             "<testsuite name=\"pytest\" errors=\"%lld\" failures=\"%lld\" skipped=\"%lld\" "
             "tests=\"%lld\" time=\"%.3f\">\n%.*s</testsuite>\n</testsuites>\n",
             t->counts[ERROR], t->counts[FAILED], skipped, tests, seconds,
             STR_FMT(buf_view(&t->cases)));
  Outputs *outputs = outputs_new(t->session);
  outputs_add(outputs, t->options->test_junit, buf_view(&text));
  int status = outputs_write(outputs);
  if (status) t->status = status;
}

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A process of a job can join it once, and a file has a process of its own.
static bool fits_job(const Tests *t, bool *is_first) {
  bool is_guess;
  bool is_job = job_transport(t->session->arena, t->options, &is_guess) != NULL;
  *is_first = !is_job || job_of_launcher().rank == 0;
  if (!is_job || t->files.count <= 1) return true;
  diag_error(t->session, (Span){0},
             "not supported over ranks: the tests of %zu files; start a job for each file, or run "
             "all in one process, with '--transport=none'",
             t->files.count);
  return false;
}

int tests_run(Session *session, const Options *options) {
  Tests t = {.session = session,
             .options = options,
             .maxfail = options->test_maxfail,
             .hides_summary = options->test_hides_summary,
             .hides_warnings = options->test_hides_warnings,
             .slowest = options->test_durations,
             .least = options->test_hides_none ? 0 : 0.005};
  t.are_tried = options->test_lists;
  t.root = test_root(session->arena, &options->inputs, &t.has_settings);
  init_account(&t);
  double begun = seconds_now();
  bool is_first;           // rank 0 alone prints
  interrupt_hold(&t.held); // they end the tests that run, and then there is an account
  if (!find_files(&t) || !fits_job(&t, &is_first)) {
    interrupt_release(&t.held);
    return t.status ? t.status : STATUS_TEST_USAGE;
  }
  if (t.has_reported) {
    interrupt_release(&t.held);
    return STATUS_DONE;
  }
  try_all(&t);
  if (!t.counts[ERROR] && !is_over(&t)) run_all(&t);
  tell_why_stopped(&t);
  if (t.status == STATUS_TEST_USAGE && !t.stopped.len)
    return t.status; // the runner has reported it
  if (is_first) keep_ended(&t);
  double seconds = seconds_now() - begun;
  if (is_first) print_account(&t, seconds);
  if (is_first && options->test_junit.len) write_junit(&t, seconds);
  long long ran = 0;
  for (size_t i = 0; i < COUNT_OF(outcomes); i++)
    ran += i == DESELECTED || i == WARNINGS ? 0 : t.counts[i];
  if (t.stopped.len) return t.status;
  interrupt_release(&t.held);
  if (t.status || failures(&t)) return t.status ? t.status : STATUS_FAULT;
  return ran || t.has_run ? STATUS_DONE : NO_TESTS;
}
