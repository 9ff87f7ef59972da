# SPDX-License-Identifier: Apache-2.0
"""The page of the wide benchmark: docs/speed.md and its chart, from the results of one run.

In: what `wide --json` writes, or has in hand. Out: a Markdown page (a table of groups, then every row that is slower than its best peer, with
both times) and an SVG beside it: a strip for each group, a tick for each row at its ratio on a logarithmic axis, and the geometric mean.
"""
import html
import math
import pathlib
import platform
import re

GROUPS = (('bodies', 'bodies and Pallas kernels'), ('jnp.linalg', 'jnp.linalg'), ('jnp', 'jax.numpy'), ('lax', 'jax.lax'), ('jax.nn', 'jax.nn'),
          ('jax.scipy', 'jax.scipy.special'), ('', 'indexing and scatters'))
WIDTH, LEFT, RIGHT, STRIP, TOP = 860, 280, 110, 44, 64
OURS, BELOW, MEAN, INK, PALE = '#1b7f4d', '#b3402a', '#1c2430', '#1c2430', '#d8dde4'
FOLDERS = re.compile(r'\S*/(?=[\w.]+:\d)')  # of a source: those of the run say nothing


def cpu_name():
    for line in pathlib.Path('/proc/cpuinfo').read_text().splitlines():
        if line.startswith('model name'):
            return line.partition(':')[2].strip()
    return platform.processor() or 'unknown CPU'


def mean_of(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def grouped(results):
    """[(title, results)], each result in the first group that its own begins with."""
    groups = {title: [] for _, title in GROUPS}
    for result in results:
        if 'ratio' in result:
            groups[next(title for prefix, title in GROUPS if result['group'].startswith(prefix))].append(result)
    return [(title, rows) for title, rows in groups.items() if rows]


def chart(groups, facts):
    ratios = [row['ratio'] for _, rows in groups for row in rows]
    low, high = math.log2(min(0.5, min(ratios))), math.log2(max(2.0, max(ratios)))
    room = WIDTH - LEFT - RIGHT
    at = lambda ratio: LEFT + room * (math.log2(ratio) - low) / (high - low)
    height = TOP + len(groups) * STRIP + 52
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="14">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
           f'<text x="16" y="26" font-size="16" fill="{INK}">Times as fast as the best of XLA and PyTorch: {len(ratios)} functions and programs, geometric mean {mean_of(ratios):.2f}</text>']
    for power in range(math.ceil(low), math.floor(high) + 1):
        x, label = at(2.0 ** power), f'{2 ** power}' if power >= 0 else f'1/{2 ** -power}'
        out += [f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - 40}" stroke="{INK if power == 0 else PALE}"/>',
                f'<text x="{x:.1f}" y="{TOP - 14}" font-size="12" text-anchor="middle" fill="#5a6472">{label}</text>']
    for i, (title, rows) in enumerate(groups):
        y = TOP + i * STRIP
        out.append(f'<text x="{LEFT - 12}" y="{y + 24}" text-anchor="end" fill="{INK}">{html.escape(title)} ({len(rows)})</text>')
        for row in sorted(rows, key=lambda row: row['ratio'], reverse=True):
            x, color = at(row['ratio']), OURS if row['ratio'] >= 1 else BELOW
            name = html.escape(f'{row["name"]}: {row["ratio"]:.2f} of {row["peer"]}')
            out.append(f'<line x1="{x:.1f}" y1="{y + 8}" x2="{x:.1f}" y2="{y + 32}" stroke="{color}" stroke-width="2" stroke-opacity="0.55"><title>{name}</title></line>')
        mean = mean_of([row['ratio'] for row in rows])
        out += [f'<circle cx="{at(mean):.1f}" cy="{y + 20}" r="6" fill="{MEAN}"/>',
                f'<text x="{WIDTH - RIGHT + 16}" y="{y + 24}" fill="{INK}">mean {mean:.2f}</text>']
    out += [f'<text x="16" y="{height - 12}" font-size="12" fill="#5a6472">{html.escape(facts)}; one CPU, arrays of the second-level cache, f32; logarithmic axis</text>', '</svg>']
    return '\n'.join(out) + '\n'


def microseconds(seconds):
    return f'{1e6 * seconds:,.1f}'


def page(groups, results, facts, picture, clock):
    rows = [row for _, all_rows in groups for row in all_rows]
    slower = sorted((row for row in rows if row['ratio'] < 1), key=lambda row: row['ratio'])
    lines = ['# Speed', '', f'{facts}. Made by `tests/bench/wide --quick{clock} --page docs/speed.md`, which measures everything that the tables of the compiler and its library list,',
             'and bodies composed of it, in one process on one CPU against `jax.jit` and PyTorch, in turns and on the same arrays ([how](../tests/bench/README.md)).',
             'A ratio above 1: pallasc is faster than the fastest of the others.', '', f'![ratios]({picture})', '',
             '| | rows | geometric mean | least | slower |', '|---|---|---|---|---|']
    for title, group in [*groups, ('all', rows)]:
        ratios = [row['ratio'] for row in group]
        lines.append(f'| {title} | {len(group)} | {mean_of(ratios):.2f} | {min(ratios):.2f} | {sum(ratio < 1 for ratio in ratios)} |')
    missing = [row for row in results if 'ratio' not in row]
    lines += ['', f'## Slower than the best of the others: {len(slower)} of {len(rows)}', '', '| | µs | the other | µs | ratio |', '|---|---|---|---|---|']
    lines += [f'| `{row["name"]}` | {microseconds(row["ours"])} | {row["peer"]} | {microseconds(row["peers"][row["peer"]])} | {row["ratio"]:.2f} |' for row in slower]
    if missing:
        lines += ['', '## Without a figure', '', *(f'- `{row["name"]}`: {row["verdict"].lower()} {FOLDERS.sub("", row.get("message", ""))[:120]}' for row in missing)]
    return '\n'.join(line.rstrip() for line in lines) + '\n'


def write(path, results, versions, clock):
    groups, facts = grouped(results), f'{cpu_name()}; {versions}'
    picture = path.with_name(path.stem + '-wide.svg')
    picture.write_text(chart(groups, facts), encoding='utf-8')
    path.write_text(page(groups, results, facts, picture.name, '' if clock == 'wall' else f' --clock {clock}'), encoding='utf-8')
