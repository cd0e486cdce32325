* Rows of cells as subcircuits: parameters, instances, an inductor and a capacitor that matter only over time.
.param rail=0.2 load=2m
.subckt row in w=1
r1 in a {rail*w}
r2 a b {rail*w}
r3 b c {rail*w}
i1 a 0 {load}
i2 b 0 {load}
i3 c 0 {2*load}
c1 c 0 10f
.ends
v1 pad 0 1.1
l1 pad vdd 1n
x1 vdd row
x2 vdd row w=2
.end
