# xml.etree.ElementTree: documents read and written, paths, namespaces, what is not well formed.
import io
import xml.etree.ElementTree as ET


def show(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


text = """<?xml version='1.0'?>
<!-- head -->
<data version="1" kind='a&amp;b'>
  <country name="Liechtenstein"><rank>1</rank><year>2008</year><neighbor name="Austria" direction="E"/><neighbor name="Switzerland" direction="W"/></country>
  <country name="Singapore"><rank>4</rank><year>2011</year><neighbor name="Malaysia" direction="N"/></country>tail &lt; &#65;&#x42;
  <empty></empty><![CDATA[raw <b> & c]]>
  <deep><a><b><c x="1">one</c></b></a><c x="2">two</c></deep>
</data>
"""
root = ET.fromstring(text)
print(root.tag, root.attrib, len(root), [child.tag for child in root], root[0].attrib, root[1].tail.strip(), repr(root[2].tail))
for path in ("country", "./country", "country/rank", ".//c", "*", "country/*", ".//neighbor[@name]", ".//neighbor[@name='Austria']", "country[@name='Singapore']/year", "country[2]", "country[last()]",
             "country[rank]", "country[rank='4']", ".//c[@x='2']", ".", "./deep/a/b/c", "country/neighbor/..", ".//year/..", "country[@name!='Singapore']", "nothing", "deep//c", ".//c[.='one']"):
    print(path, [(e.tag, e.attrib) for e in root.findall(path)], show(lambda: root.find(path).text), root.findtext(path, "none") == "none")
print(show(lambda: root.findall("/country")), show(lambda: root.findall("country[0]")))
print([e.tag for e in root.iter()], [e.text for e in root.iter("rank")], "".join(root.itertext()).split())
print(ET.tostring(root[0]), ET.tostring(root[2]), ET.tostring(root[2], short_empty_elements=False), ET.tostring(root[1], "unicode"))
made = ET.Element("top", {"b": "2"}, a="1 < 2 \"q\"")
one = ET.SubElement(made, "one")
one.text, one.tail = "x & y", "\n"
ET.SubElement(made, "two", id="é").set("k", "v\n")
made.append(ET.Comment(" note "))
made.append(ET.ProcessingInstruction("target", "data"))
made.insert(0, ET.Element("zero"))
print(ET.tostring(made), ET.tostring(made, "utf-8"), ET.tostring(made, encoding="unicode"), ET.tostring(made, "us-ascii", xml_declaration=True), ET.tostring(made, "latin-1"))
print(made.get("a"), made.get("q"), made.get("q", 5), sorted(made.keys()), made.items(), made.find("two").attrib, list(made)[1].tag, made[-1].text)
made.remove(made[0])
del made[0]
print([e.tag if isinstance(e.tag, str) else e.tag.__name__ for e in made], show(lambda: made.remove(one)), show(lambda: made.append("x")), show(lambda: made[9]))
tree = ET.ElementTree(ET.fromstring("<r><a><b/><b>t</b></a><c/></r>"))
ET.indent(tree)
out = io.BytesIO()
tree.write(out)
print(out.getvalue().decode())
out = io.StringIO()
tree.write(out, "unicode", xml_declaration=True)
print(out.getvalue().split("\n")[1], tree.getroot().tag, [e.tag for e in tree.iter()], tree.find("a/b").tag, tree.findtext("a/b[2]"))
spaced = ET.fromstring('<x:r xmlns:x="urn:x" xmlns="urn:d" xml:lang="en"><a x:k="1" k="2"/><x:b xmlns:x="urn:y"/></x:r>')
print(spaced.tag, spaced.attrib, [(e.tag, e.attrib) for e in spaced], ET.tostring(spaced))
print(spaced.find("d:a", {"d": "urn:d"}).tag, spaced.find("{urn:d}a").tag, spaced.find("{*}a").tag, show(lambda: spaced.find("q:a", {"d": "urn:d"})))
ET.register_namespace("nice", "urn:x")
print(ET.tostring(spaced, "unicode"))
for wrong in ("", "<a>", "<a></b>", "<a/><b/>", "text", "<a>&nope;</a>", "<a b='1' b='2'/>", "<a>\n<b></a>", "<a>&</a>", "<p:a/>"):
    try:
        ET.fromstring(wrong)
    except ET.ParseError as error:
        print(repr(wrong), type(error).__name__, error.position, str(error).split(":")[0] if wrong != "<a>&nope;</a>" else "entity")
print([(event, e.tag) for event, e in ET.iterparse(io.BytesIO(b"<a><b>1</b><c/></a>"), ("start", "end"))], ET.tostring(ET.XML("<a>1</a>"), method="text"))
print(ET.tostring(ET.fromstring("<div><br/><p>a&lt;b</p><script>x</script></div>"), "unicode", "html"), ET.iselement(root), bool(len(root[2])))
