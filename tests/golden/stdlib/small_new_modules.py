# colorsys, filecmp, copyreg, locale, gettext, mimetypes, sysconfig, faulthandler, http, urllib.error, multiprocessing, importlib.machinery, json's parts.
import colorsys
import copyreg
import faulthandler
import filecmp
import gettext
import http
import importlib.machinery
import importlib.util
import json.decoder
import json.encoder
import json.scanner
import locale
import mimetypes
import multiprocessing
import os
import sysconfig
import tempfile
import urllib.error


def show(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


for color in ((0.2, 0.4, 0.6), (1.0, 0.0, 0.0), (0.5, 0.5, 0.5), (0.1, 0.9, 0.3), (0.0, 0.0, 0.0), (0.9, 0.1, 0.8)):
    print([round(x, 12) for f in (colorsys.rgb_to_yiq, colorsys.yiq_to_rgb, colorsys.rgb_to_hls, colorsys.hls_to_rgb, colorsys.rgb_to_hsv, colorsys.hsv_to_rgb) for x in f(*color)])
with tempfile.TemporaryDirectory() as folder:
    left, right = os.path.join(folder, "l"), os.path.join(folder, "r")
    for side, files in ((left, {"a": "1", "b": "2", "only": "x", "s/q": "1"}), (right, {"a": "1", "b": "3", "new": "y", "s/q": "2"})):
        os.makedirs(os.path.join(side, "s"))
        for name, text in files.items():
            with open(os.path.join(side, name), "w") as file:
                file.write(text)
    print(filecmp.cmp(left + "/a", right + "/a", False), filecmp.cmp(left + "/b", right + "/b", False), filecmp.cmpfiles(left, right, ["a", "b", "zz"], False), filecmp.cmp(left, right))
    found = filecmp.dircmp(left, right)
    print(found.left_only, found.right_only, found.common, found.common_dirs, found.common_files, found.same_files, list(found.subdirs), found.subdirs["s"].common_files, show(lambda: found.zz))
print(show(lambda: copyreg.pickle(int, 5)), show(lambda: copyreg.constructor(5)), copyreg.pickle(complex, lambda c: (complex, (c.real, c.imag))))
print(locale.setlocale(locale.LC_ALL, "C"), show(lambda: locale.setlocale(locale.LC_ALL, "xx_YY")), locale.localeconv()["decimal_point"], locale.atof("1.5"), locale.str(2.5), locale.format_string("%d", 12345))
print(locale.strcoll("a", "b"), sorted(["b", "A"], key=locale.strxfrm), gettext.gettext("x"), gettext.ngettext("one", "many", 2), gettext.NullTranslations().gettext("q"), show(lambda: gettext.translation("zz")).split(":")[0])
for name in ("a.txt", "a.PNG", "a.tar.gz", "a.tgz", "a.json", "a.html", "a.none", "dir/x.py", "a.csv", "a.zip", "a.svgz", "noending"):
    print(name, mimetypes.guess_type(name), end=" ")
print(mimetypes.guess_extension("image/png"), mimetypes.guess_extension("zz/zz"), mimetypes.types_map[".css"])
print(sysconfig.get_python_version(), sorted(sysconfig.get_path_names())[:3], sysconfig.get_config_var("NOT_THERE"), "purelib" in sysconfig.get_paths(), faulthandler.is_enabled(), faulthandler.enable(), faulthandler.is_enabled(), faulthandler.disable())
print(http.HTTPStatus.OK, http.HTTPStatus(404).phrase, repr(http.HTTPStatus.CREATED), http.HTTPStatus.OK == 200, http.HTTPMethod.GET == "GET", len(http.HTTPStatus))
print(show(lambda: urllib.error.URLError("gone")), str(urllib.error.URLError("gone")), str(urllib.error.HTTPError("u", 404, "No", {}, None)), issubclass(urllib.error.HTTPError, OSError))
print(multiprocessing.cpu_count() > 0, multiprocessing.current_process().name, multiprocessing.active_children(), multiprocessing.freeze_support(), show(lambda: multiprocessing.set_start_method("x")))
print(importlib.machinery.SOURCE_SUFFIXES[0], importlib.util.cache_from_source("a/b.py"), importlib.util.source_from_cache("a/__pycache__/b.cpython-311.pyc"), importlib.util.decode_source(b"a\r\nb"), importlib.util.MAGIC_NUMBER)
print(json.encoder.encode_basestring("é\n\""), json.encoder.encode_basestring_ascii("é😀"), json.encoder.ESCAPE_DCT["\n"], json.decoder.scanstring('"ab\\n" rest', 1), json.scanner.NUMBER_RE.match("-1.5e3").groups(), json.decoder.BACKSLASH["n"] == "\n")
print(json.scanner.py_make_scanner(json.JSONDecoder())('[1, 2] x', 0))
