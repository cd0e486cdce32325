
* t
.csparam x=1
.func f(x,y) {x > 1 && !(y == 2) ? x**2 : pwr(-y,3)}
.param a={f(2,1)} b = 1 + 2 c(z)=z^2
v1 a 0 1x
r1 a b {nint(2.5)+(-3)**3+99}
r2 b 0 c1 $ note
.param c1={c(b)}
.end
