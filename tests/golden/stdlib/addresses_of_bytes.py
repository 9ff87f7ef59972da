# urllib.parse of addresses that are bytes: the parts are bytes, and texts are not mixed with them.
import urllib.parse as up


def shown(f):
    try:
        print(f())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


shown(lambda: up.urlparse(b"http://a/b?c=d#e"))
shown(lambda: up.urlsplit(b"http://u:p@a:80/b?c=d#e").hostname)
shown(lambda: up.urljoin(b"http://a/b", b"c"))
shown(lambda: up.urlunparse(up.urlparse(b"http://a/b?c=d#e")))
shown(lambda: up.quote(b"a b\xff"))
shown(lambda: up.unquote(b"a%20b"))
shown(lambda: up.unquote_to_bytes(b"a%20b"))
shown(lambda: up.parse_qs(b"a=1&b=2"))
shown(lambda: up.parse_qsl(b"a=1&b=2"))
shown(lambda: up.urldefrag(b"http://a#b"))
shown(lambda: up.urlencode({b"a": b"b c"}))
shown(lambda: up.quote_plus(b"a b"))
shown(lambda: up.quote_from_bytes(b"a/b "))
shown(lambda: up.urljoin(b"a", "b"))
shown(lambda: up.urlparse(b"http://a/b").geturl())
shown(lambda: up.urlsplit(b"//a/b", b"http"))
shown(lambda: up.urlparse(b"a").decode())
shown(lambda: up.urlparse("http://a/b").encode())
shown(lambda: up.urlsplit(b"x", "http"))
shown(lambda: up.urlsplit(b"http://u:p@a:80/").port)
shown(lambda: up.unquote_plus(b"a+b"))
shown(lambda: up.urlunsplit((b"http", b"a", b"b", b"", b"")))
shown(lambda: up.urlsplit(b"http://a")._replace(path=b"/x").geturl())
shown(lambda: [getattr(up.urlsplit(b"http://U:p@A%b:8/"), name) for name in ("username", "password", "hostname", "port", "netloc")])
shown(lambda: up.urldefrag(b"http://a#b").geturl())
shown(lambda: up.urldefrag("http://a#b").encode())
shown(lambda: up.urlparse("http://a/b;c?d").encode().decode())
shown(lambda: up.urlsplit(b"http://\xff"))
shown(lambda: up.parse_qs(b"a=1;b=2", separator=b";"))
shown(lambda: up.urljoin(b"", b"b"))
