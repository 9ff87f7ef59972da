# ipaddress: addresses, networks, interfaces and what is none.
from ipaddress import *
import pickle
def t(f):
    try:
        v = f()
        if hasattr(v, "__next__"): v = list(v)
        print("=", v if not isinstance(v, list) else v[:9])
    except BaseException as e: print("!", type(e).__name__, e)
texts = ["1.2.3.4", "0.0.0.0", "255.255.255.255", "256.1.1.1", "1.2.3", "01.2.3.4", "a.b.c.d", "", "1.2.3.4/8", "::1", "::", "2001:db8::8:800:200c:417a", "1:2:3:4:5:6:7:8", "1::2::3", ":1", "1:", "12345::", "g::", "::ffff:1.2.3.4", "1:2:3:4:5:6:7", "::1.2.3.256", "1:2:3:4:5:6:7:8:9", 5, 2**32, 2**128, -1, b"\1\2\3\4", b"\1", b"\0" * 16, None, 1.5, "1.2.3.4.", "10.0.0.1", "127.0.0.1", "169.254.1.1", "224.0.0.1", "240.0.0.1", "100.64.0.1", "192.168.1.1", "8.8.8.8", "2002:102:304::", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "ff02::1", "fc00::1", "fec0::1", "1::", "0:0:1::", "1:0:0:2:0:0:0:3"]
for x in texts:
    for f in (ip_address, IPv4Address, IPv6Address): t(lambda: repr(f(x)))
    try: a = ip_address(x)
    except ValueError: continue
    t(lambda: (str(a), int(a), a.packed, a.compressed, a.exploded, a.reverse_pointer, a.version, a.max_prefixlen, a.is_private, a.is_global, a.is_multicast, a.is_loopback, a.is_link_local, a.is_reserved, a.is_unspecified))
    if a.version == 6: t(lambda: (a.ipv4_mapped, a.sixtofour, a.teredo, a.scope_id, a.is_site_local))
    for s in ("", "s", "b", "x", "X", "n", "#x", "_b", "#_x", ">50", "d", "_n"): t(lambda: format(a, s))
    t(lambda: pickle.loads(pickle.dumps(a)) == a); t(lambda: a + 1); t(lambda: a - 1); t(lambda: a + "x")
a, b = ip_address("1.2.3.4"), ip_address("1.2.3.5")
t(lambda: (a < b, a == b, a > b, a <= a, a != b, a == 1, hash(a) == hash(IPv4Address("1.2.3.4")))); t(lambda: a < 1); t(lambda: a < ip_address("::1")); t(lambda: a == ip_address("::1")); t(lambda: sorted([b, a])); t(lambda: {a: 1}[IPv4Address(int(a))])
for x in ["10.0.0.0/8", "10.0.0.1/8", "10.0.0.0/255.0.0.0", "10.0.0.0/0.255.255.255", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0", "1.2.3.4/31", "1.2.3.4/32", "0.0.0.0/0", "2001:db8::/32", "2001:db8::1/32", "::/0", "::1/128", "::/129", "1/2/3", ("10.0.0.0", 8), (167772160, 24), 5, b"\1\2\3\0", ("1.2.3.0", "255.255.255.0"), "192.168.0.0/255.0.255.0", "192.168.1.0/24", "100.64.0.0/10"]:
    for f in (ip_network, lambda x: ip_network(x, strict=False), ip_interface, IPv4Network, IPv6Interface): t(lambda: repr(f(x)))
    try: n = ip_network(x, False)
    except ValueError: continue
    t(lambda: (n.network_address, n.broadcast_address, n.netmask, n.hostmask, n.num_addresses, n.prefixlen, n.with_prefixlen, n.with_netmask, n.with_hostmask, n.exploded, n.is_private, n.is_global, n.is_multicast, n.is_loopback, n.is_reserved, n.is_link_local, n.is_unspecified))
    t(lambda: (n[0], n[-1], n[1])); t(lambda: n[2**200]); t(lambda: [str(x) for _, x in zip(range(4), n.hosts())]); t(lambda: [str(x) for _, x in zip(range(3), n)]); t(lambda: [str(x) for _, x in zip(range(3), n.subnets())]); t(lambda: [str(x) for _, x in zip(range(3), n.subnets(2))]); t(lambda: [x for _, x in zip(range(3), n.subnets(new_prefix=30))]); t(lambda: n.supernet()); t(lambda: n.supernet(3)); t(lambda: n.supernet(new_prefix=4)); t(lambda: n.supernet(new_prefix=200)); t(lambda: (a in n, n in n, n.overlaps(n), n.subnet_of(n), hash(n) == hash(n))); t(lambda: n.subnet_of(ip_network("10.0.0.0/7"))); t(lambda: list(zip(range(5), n.address_exclude(next(n.subnets(3)))))); t(lambda: n < ip_network("10.0.0.0/8")); t(lambda: n == n.supernet()); t(lambda: n.compare_networks(ip_network("10.0.0.0/8"))); t(lambda: pickle.loads(pickle.dumps(n)))
i = ip_interface("10.1.2.3/8"); t(lambda: (i.ip, i.network, i.netmask, i.with_netmask, i.with_hostmask, str(i), i == ip_interface("10.1.2.3/16"), i < ip_interface("10.1.2.4/8"), i == i.ip, i + 1, int(i)))
t(lambda: summarize_address_range(a, ip_address("1.2.4.9"))); t(lambda: summarize_address_range(b, a)); t(lambda: summarize_address_range(a, ip_address("::"))); t(lambda: summarize_address_range(ip_address("::"), ip_address("::ff"))); t(lambda: collapse_addresses([ip_network("10.0.0.0/25"), ip_network("10.0.0.128/25"), ip_network("11.0.0.0/8")])); t(lambda: collapse_addresses([a, b, a])); t(lambda: collapse_addresses([a, ip_address("::")])); t(lambda: collapse_addresses([])); t(lambda: (v4_int_to_packed(5), v6_int_to_packed(5))); t(lambda: v4_int_to_packed(-1)); t(lambda: sorted([ip_network("10.0.0.0/8"), ip_address("1.1.1.1"), ip_network("::/0")], key=get_mixed_type_key)); t(lambda: summarize_address_range(1, 2))
