* a subcircuit from another file
.inc "b.sp"
x1 a b s
v1 a 0 1
*** b.sp
.subckt s p q
r1 p q 1
.ends
