# SPDX-License-Identifier: Apache-2.0
"""Many mutants in one source, each with a switch.

In: the text of a C source, and mutants of it with numbers. Out: a text in which each function with mutants begins with a copy of its body a
mutant, `if (on[17]) {…}`, and its own body says once a process which mutants' places it comes by. A copy of the body and not of the expression, so
that one rule serves operators, declarations, labels, dropped statements and several mutants of one line.

MUTANT in the environment are the numbers that are on, with commas between; of two in one function the first one counts. MUTATE_REACHED names a file to which the numbers of the places are added, four bytes each.
"""
import os
import re

import mutants as mutation

PLACE = 'mutant-'  # the file that a compiler's message on a mutant names

# Ahead of line 1. Weak and hidden: one of each in pallasc, in a unit test and in a runtime that is linked or loaded.
HEAD = ('#pragma GCC optimize 1\n'
        'extern char *getenv(const char *); extern int atoi(const char *); extern int open(const char *, int, ...); extern int close(int); '
        'extern long write(int, const void *, unsigned long); '
        '_MUTATE unsigned char mutate_seen[{count}], mutate_on[{count}]; '
        'static __attribute__((constructor)) void mutate_choose(void) {{ const char *word = getenv("MUTANT"); while (word && *word) {{ '
        'int n = atoi(word); if (n > 0 && n < {count}) mutate_on[n] = 1; while (*word && *word++ != \',\'); }} }} '
        '_MUTATE void mutate_reach(int n); _MUTATE void mutate_reach(int n) {{ mutate_seen[n] = 1; const char *path = getenv("MUTATE_REACHED"); '
        'int file = path ? open(path, {flags}, 0644) : -1; if (file < 0) return; if (write(file, &n, sizeof n) < 0) mutate_seen[n] = 0; close(file); }}\n'
        ).replace('_MUTATE', '__attribute__((weak, visibility("hidden")))')


def functions(file):
    """The tokens that open and close the body of each function."""
    return [(i, file.closing[i]) for i, token in enumerate(file.tokens)
            if token.text == '{' and not token.braces and i in file.closing and file.brace_kind(i, ()) == 'function']


def is_void(file, opening):
    name = file.partner[opening - 1] - 1
    return file.tokens[name - 1].text == 'void'


def copy_of_body(file, opening, closing, number, mutant):
    source, begin, end = file.source, file.tokens[opening].end, file.tokens[closing].start
    words = [token.text for token in file.tokens[opening:closing]]
    labels = sorted({word for before, word in zip(words, words[1:]) if before == 'goto'})
    changed = source[begin:mutant.start] + mutant.text + source[mutant.end:end]
    return (f'\nif (mutate_on[{number}]) {{ {"__label__ " + ", ".join(labels) + ";" if labels else ""}\n'
            f'#line {file.line_of(begin) + 1} "{PLACE}{number}"\n{changed}\n{"return;" if is_void(file, opening) else "__builtin_trap();"} }}')


def switched(path, source, numbered, count, name=None):
    """The text with the mutants {number: mutant}, and the numbers of those that stand in no function. `name` is what messages call the source."""
    file = mutation.File(path, source)
    tokens, edits, outside = file.tokens, [], []
    bodies = functions(file)
    for number, mutant in sorted(numbered.items()):
        around = next(((a, b) for a, b in bodies if tokens[a].end <= mutant.start and mutant.end <= tokens[b].start), None)
        if not around:
            outside.append(number)
            continue
        begin = tokens[around[0]].end
        back = f'\n#line {file.line_of(begin) + 1} "{name or path}"\n'
        edits.append((begin, 0, copy_of_body(file, *around, number, mutant) + back))
        edits.append((max(mutant.probe, begin), 1, f'if (!mutate_seen[{number}]) mutate_reach({number}); '))
    for at, _, text in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        source = source[:at] + text + source[at:]
    head = HEAD.format(count=count + 1, flags=os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    return (f'{head}#line 1 "{name or path}"\n{source}' if edits else source), outside


def broken_mutants(messages):
    """The numbers of those that a compiler refuses."""
    return {int(number) for number in re.findall(rf'{PLACE}(\d+):\d+:\d+: (?:fatal )?error', messages)}
