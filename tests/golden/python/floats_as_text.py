# The shortest text of a float and what is read from one: random ones, and those at the edges of what is done quickly.
import random, struct
r=random.Random(7); h=0
def mix(s):
    global h
    for c in s: h=(h*131+ord(c))%(2**61-1)
for i in range(6000):
    k=i%6
    if k==0: x=r.random()*10**r.randint(-6,18)
    elif k==1: x=round(r.random()*10**r.randint(0,9),r.randint(0,6))
    elif k==2: x=struct.unpack('<d',struct.pack('<Q',r.getrandbits(63)))[0]
    elif k==3: x=float(r.randint(0,10**r.randint(1,17)))
    elif k==4: x=r.randint(1,10**6)/2**r.randint(0,40)
    else: x=r.randint(0,10**15)/10**r.randint(0,20)
    s=repr(x); mix(s)
    if x==x: assert float(s)==x,s
    t="%d.%0*d"%(r.randint(0,10**r.randint(0,12)),r.randint(1,6),r.randint(0,999)); mix(t+repr(float(t))); mix(repr(float("-"+t)))
print(h)
for s in ["0","-0","0.0","-0.0","1.","  .5 ","1_0.5","00012.50","999999999999999","9999999999999999","123456789012345.6","0.000000000000001","0.0000000000000001","1e5","1.5e-7"]:
    print(s.strip(), repr(float(s)))
for x in (1e15,999999999999999.0,1e-4,0.00012345,9.999999999999999e-05,123456789012345.0,0.1+0.2,1/3,5e-324,1e16,1e22,1e23,2.0**53,0.5,100.0,1e14+0.5): print(repr(x), str(-x), f'{x}')
