# Values written side by side and assigned to as many targets; tuples of literals, which are made once.
# Names, order and errors of side by side assignment; literal tuples
a,b=1,2; a,b=b,a; print(a,b)
l=[0,0,0]; i=0; i,l[i]=1,5; print(i,l); l[i],i=7,2; print(l,i)
class T:
    def __setattr__(s,n,v): print('set',n,v); object.__setattr__(s,n,v)
t=T(); t.x,t.y,(p,q)=1,2,(3,4); print(p,q)
def f():
    for k in range(2): yield (1,-2.5,('a',b'b',None,True))
u,v=f(); print(u is v or u==v,u)
try: a,b,c=1,2
except ValueError as e: print(e)
(a,*b),c=(1,2,3),4; print(a,b,c)
x=y,z=5,6; print(x,y,z)
def g():
    x,y=1,2
    x,y=y,x+y
    del x
    try: x,y=x,1
    except UnboundLocalError as e: print(e,y)
g()
