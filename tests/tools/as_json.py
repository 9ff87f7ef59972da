# SPDX-License-Identifier: Apache-2.0
"""Whether a report as JSON has all that the report as text has. Of run_golden --json."""
import json
import re

HEAD = re.compile(r'(?:(\S[^:]*):(\d+):(\d+): |pallasc: )?(error|warning|note): (.*)')
EXCERPT = re.compile(r' *\d* \| ')
HELP = '     = help: '
REGION = re.compile(r"(as )?(?<!\w)'([^']+)'(?:\[([-0-9:, ]*)\])?")


def of_text(text):
    """What the lines say: a place, the severity, the message; help; and where a run of carets stands."""
    said, place = [], None
    for line in text.splitlines() if text else ():
        head = HEAD.fullmatch(line)
        if head:
            place = (head[1], int(head[2]), int(head[3])) if head[1] else None
            said.append((place, head[4], head[5]))
        elif line.startswith(HELP):
            said.append((None, 'help', line[len(HELP):]))
        elif EXCERPT.match(line):
            run = line.split('|', 1)[1]
            if '^' in run and place and not run.strip(' \t^~'):
                said.append((place, 'carets', str(len(run.rstrip()) - run.index('^'))))
        elif said:  # a message of several lines
            said[-1] = (*said[-1][:2], f'{said[-1][2]}\n{line}')
    return said


def place_of(item):
    return (item['file'], item['line'], item['column']) if 'file' in item else None


def of_json(finding):
    """The same of an object."""
    for item in (finding, *finding['notes']):
        option = f" [{item['option']}]" if 'option' in item else ''
        yield place_of(item), item['severity'], item['message'] + option
        if 'help' in item:
            yield None, 'help', item['help']
    for frame in finding['frames']:
        yield place_of(frame), 'note', f"in call to '{frame['name']}'"


def widths_of(findings):
    """The columns of each place that has an end on its line."""
    widths = {}
    for finding in findings:
        for item in (finding, *finding['notes']):
            if item.get('end_line', item.get('line')) == item.get('line') and 'end_column' in item:
                widths.setdefault(place_of(item), set()).add(str(max(1, item['end_column'] - item['column'])))
    return widths


def index_text(access):
    """The region as the text has it: dimensions that are touched as a whole are left out at the end."""
    parts = []
    for (start, stop, step), size in zip(access['region'], access['shape']):
        whole = (start, stop, step) == (0, size, 1)
        parts.append((whole, f'{start}' if stop == start + 1 else f'{start}:{stop}' + (f':{step}' if step != 1 else '')))
    while parts and parts[-1][0]:
        parts.pop()
    return ', '.join(part for _, part in parts)


def faults_of_race(finding):
    """What the message of a race names and its data has not."""
    race, message = finding.get('race'), finding['message']
    if not race or len(race['accesses']) != 2:
        return ['a race without its two accesses']
    accesses, faults = race['accesses'], []
    times = re.search(r'\((\d+) times\)$', message)
    if times and race.get('count') != int(times[1]):
        faults.append(f'count {race.get("count")}')
    for another, name, index in REGION.findall(message.split(' of parallel dimensions', 1)[0]):
        touched = [access for access in accesses if access.get('buffer') == name]
        known = [access for access in touched if 'region' in access]
        if not touched or (not another and known and len(known) == len(touched) and index not in map(index_text, known)):
            faults.append(f"'{name}'[{index}]")
    for device in re.findall(r'\bdevice (\d+)', message):
        if int(device) not in [access['device'] for access in accesses]:
            faults.append(f'device {device}')
    for step in re.findall(r'\bsteps? \(([^)]*)\)', message):
        numbers = [int(part.split('=')[-1]) for part in step.split(',') if part.strip()]
        if numbers not in [access.get(step) for access in accesses for step in ('step', 'parallel_step')]:
            faults.append(f'step ({step})')
    for number in re.findall(r'\biteration (-?\d+)', message):
        if int(number) not in [access.get('iteration') for access in accesses]:
            faults.append(f'iteration {number}')
    return faults


def missing(text, output):
    """What the text says and the JSON lines do not, or the other way round; a list of lines."""
    findings = [json.loads(line) for line in output.splitlines() if line.startswith('{')]
    findings = [finding for finding in findings if 'severity' in finding]
    rest = [line for line in output.splitlines() if not line.startswith('{')]
    has = [fact for finding in findings for fact in of_json(finding)] + of_text('\n'.join(rest))
    widths, faults = widths_of(findings), []
    for fact in of_text(text):
        if fact[1] == 'carets':
            if fact[0] in widths and fact[2] not in widths[fact[0]]:
                faults.append(f'only as text: {fact}, not {widths[fact[0]]}')
        elif fact in has:
            has.remove(fact)
        else:
            faults.append(f'only as text: {fact}')
    faults += [f'only as JSON: {fact}' for fact in has]
    for finding in findings:
        if finding.get('kind') == 'race':
            faults += [f"not in 'race': {fault} of {finding['message']}" for fault in faults_of_race(finding)]
        if finding['severity'] == 'error' and 'kind' not in finding and finding.get('frames') is None:
            faults.append(f'no kind: {finding}')
    return faults
