# vim: set fileencoding=koi8-r :
print("plain")
