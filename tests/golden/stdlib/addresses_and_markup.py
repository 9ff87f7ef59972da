# urllib.parse and html: addresses taken apart and joined, text quoted, characters by name.
import html
import html.entities
import urllib.parse as up
from urllib.parse import urlparse, urlsplit, urljoin, quote, unquote


def tried(ask):
    try:
        return ask()
    except Exception as error:
        return f'{type(error).__name__}: {error}'


for url in ('https://u:p%40@Ex.org:8080/a/b;c?d=1&e#f', 'mailto:a@b.c', '//h/p', '/p;q;r/s;t?u', 'file:///etc/x', 'http://[::1]:80/x', 'http://[FE80::1%Eth0]/', 'x:y', '1:2', 'HTTP://A', '', '?q', '#f',
            ' http://a\n/b ', 'a/b:c', 'http://h?x/y#z?w', 'data:,x,y', 'tel:+1;x=2', 'http://@h:', 'svn+ssh://h/p'):
    p = urlparse(url)
    print(p, p.hostname, p.username, p.password, tried(lambda: p.port), p.geturl(), urlsplit(url).geturl())
for url in ('http://h:x/', 'http://h:99999/', 'http://[::1/', 'http://h:-1/'):
    print(tried(lambda: urlsplit(url).port))
for relative in ('g:h', 'g', './g', 'g/', '/g', '//g', '?y', 'g?y', '#s', 'g#s', ';x', 'g;x', '', '.', './', '..', '../', '../g', '../..', '../../g', '../../../g', '/./g', 'g.', '..g', './../g', 'g/./h', 'http:g', 'a//b'):
    print(relative, urljoin('http://a/b/c/d;p?q', relative), urljoin('a/b', relative))
print(urljoin('', 'x'), urljoin('x', ''), urljoin('mailto:a', 'b'), up.urldefrag('http://a/b#c'), up.urldefrag('x').geturl(), up.urlunsplit(('http', 'h', 'p', 'q', 'f')), up.urlunparse(('', '', '/p', 'x', '', '')))
print(quote('a b/ü?~'), quote('a/b', safe=''), quote(b'\xff/'), quote('é', encoding='latin-1'), up.quote_plus('a b+c/'), up.quote_plus('x y', safe='y'), unquote('%e4%bd%a0%zz%', errors='replace'), unquote('%ff'), unquote('%ff', 'latin-1'),
      up.unquote_plus('a+b%2B'), up.unquote_to_bytes('a%20%ff%g1'), unquote('ü%20'), up.quote_from_bytes(b'a b', safe=' '))
print(up.parse_qs('a=1&a=2&b=&c'), up.parse_qsl('a=1&b=&c&a=%20+', True), up.parse_qs('a=1;b=2', separator=';'), tried(lambda: up.parse_qs('a&b', strict_parsing=True)), tried(lambda: up.parse_qs('a=1&b=2', max_num_fields=1)), up.parse_qs(''))
print(up.urlencode({'a b': 'c&d', 'e': 3, 'f': None}), up.urlencode([('x', [1, 'y z']), ('s', 'ab')], doseq=True), up.urlencode({'a': 'b c'}, quote_via=quote), up.urlencode({b'k': b'\xff'}), tried(lambda: up.urlencode('abc')), tried(lambda: up.quote(3)), tried(lambda: up.quote(b'a', encoding='utf-8')))
r = urlparse('http://h/p')
print(r._replace(query='a=1', netloc='g:1').geturl(), r[1], tuple(r), r == ('http', 'h', '/p', '', '', ''), type(r).__name__, urlsplit('http://h/p')._fields)
print(html.escape('<a b="c">\'&amp;'), html.escape('"\'', quote=False))
for text in ('&lt;&gt;&amp;&quot;&#x27;', '&amp', '&ampx', '&notit;', '&notin;', '&NotEqualTilde;', '&eacute &eacute;x', '&#65&#x42;&#0;&#x80;&#xD800;&#x110000;&#1;&#13;', '&nosuch; & x &;&#;', '&CounterClockwiseContourIntegral;', 'a&b&copy', '&Aacutex'):
    print(repr(text), ascii(html.unescape(text)))
print(len(html.entities.html5), len(html.entities.name2codepoint), html.entities.codepoint2name[0xe9], html.entities.entitydefs['lang'], html.entities.html5['lang;'])
