test -v rooted/inner
