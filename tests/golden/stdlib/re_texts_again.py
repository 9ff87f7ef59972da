# A pattern that is asked again for the same text: matches keep theirs, what was changed is read anew, and a long text is not
# decoded for each match.
import re
import time

p = re.compile('[ab]+')
b = re.compile(b'[ab]+')
text = 'xx ab xx ba'
first = p.search(text)
second = p.search(text, first.end())
other = p.search('été abba')
print(first, second, other, p.search(text), first.string is text, second.string is text, other.string, p.sub('-', text), p.findall(text))

changing = bytearray(b'xx ab')
print(b.search(changing))
changing[3:] = b'xba'
print(b.search(changing))
held = memoryview(changing)
print(b.search(held).span())
changing[0:1] = b'a'
print(b.search(held).span(), b.findall(changing), b.search(bytes(changing)), b.search(bytes(changing)))
for wrong in (b'ab', 5, bytearray(b'ab')):
    try:
        p.search(wrong)
    except TypeError as e:
        print(e)


class Text(str):
    pass


named = Text('aab')
print(p.match(named), p.match(named).string is named, p.match('aab').string is named)

token = re.compile(r'\w+|\s+')


def seconds(text, count):
    begin, at = time.process_time(), 0
    for _ in range(count):
        at = token.match(text, at).end()
    return time.process_time() - begin


few, many = 'abc ' * 3_000, 'abc ' * 300_000
seconds(few, 10)
print(seconds(many, 3_000) < 20 * seconds(few, 3_000) + 0.2)
