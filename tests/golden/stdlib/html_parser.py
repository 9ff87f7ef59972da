# html.parser: tags, texts, comments, references, whole and in pieces.
from html.parser import HTMLParser
class P(HTMLParser):
    def __init__(self, **k): self.o = []; super().__init__(**k)
    def handle_starttag(self, t, a): self.o.append(("S", t, a, self.getpos(), self.get_starttag_text()))
    def handle_endtag(self, t): self.o.append(("E", t, self.getpos()))
    def handle_data(self, d): self.o.append(("D", d, self.getpos()))
    def handle_comment(self, d): self.o.append(("C", d))
    def handle_decl(self, d): self.o.append(("L", d))
    def handle_pi(self, d): self.o.append(("P", d))
    def unknown_decl(self, d): self.o.append(("U", d))
    def handle_charref(self, d): self.o.append(("R", d))
    def handle_entityref(self, d): self.o.append(("T", d))
class Q(P):
    def handle_startendtag(self, t, a): self.o.append(("SE", t, a))
docs = ["<html><head><title>T</title></head>\n<body class='a b' id=x>hi<br/>there<p>x &amp; y &#65; &lt;</body></html>", "<!DOCTYPE html><!-- c --><?php x?><a href=\"q?a=1&amp;b=2\" disabled>l</a>", "<script>if (a < b) { '</b>' }</script>x<style>p > a</style>", "a < b && c > d", "<a b='c>d'>e</a>", "<IMG SRC=x ALT=\"q\"/>", "<![CDATA[x]]>y", "&nosuch; &copy &eacute; &#x41; &#xZZ; &", "<p>unclosed", "<", "</>", "</ x>", "<div\n a = 1\n b>t</div >", "<a href=foo/bar/>x", "<x:y z:w='1'/>", "<!-- unclosed", "text only", "", "<input value='a&quot;b' checked=''>", "<b><i>x</b></i>", "<!foo bar>", "<a b=c d='e' f=\"g\" h>", "<a\tb>", "<1a>", "<br / >", "a\nb\n<p>\n\nc</p>"]
for d in docs:
    for k in (dict(), dict(convert_charrefs=False)):
        for cls in (P, Q):
            p = cls(**k); p.feed(d); p.close(); print(d[:30].encode(), sorted(k), p.o)
    p = P()
    for c in d: p.feed(c)
    p.close(); print([x for x in p.o if x[0] != "D"], "".join(x[1] for x in p.o if x[0] == "D"))
