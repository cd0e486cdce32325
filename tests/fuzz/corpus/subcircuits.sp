* subcircuits
.global vdd
.param w=1
.subckt cell in out w=2 l={3*w}
.subckt inner p
r1 p q {w}
r2 q vdd 5
.ends inner
x1 in inner w={l}
x2 out inner
c1 in 0 1f
i1 in 0 pwl(0 1u 1n 2u)
.ends cell
v1 vdd 0 1
x1 a b cell
x2 b c cell w={2*w}
+ l=4
r1 a vdd 1
