
* t
.params a=1 b={a|0}
.func f(x) {round(x)+u(x)+uramp(x)+atan2(x,1)}
v1 a 0 SINE(1 0.5 1k 0 0 90) Rser=0.1 Cpar=1p
r1 a b {f(2)}
c1 b 0 1µ Rser=1
l1 b c 1Âµ Rpar=1k
r2 c 0 1
.backanno
.end
