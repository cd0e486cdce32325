
* t
.prot
.unprot
.param p='pow(2,2.5)' q(x)='x*p'
.macro s a b w='1+1'
r1 a b 'q(w)' m=2
.if (w==2)
i1 a 0 '-sqrt(-4m)'
.else
r2 a 0 1x
.endif
.eom
x1 a b s w=3
v1 a 0 pwl 0 1 1n 2 R 0 td=1n
r2 b 0 1a
r3 b 0 'agauss(1,0.1,3)'
.end
