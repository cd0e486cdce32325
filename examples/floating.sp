* What goes wrong most: a block that lost its connection.
v1 n1_m4_0_0 0 1.1
r1 n1_m4_0_0 n1_m1_0_0 0.5
r2 n1_m1_0_0 n1_m1_4000_0 1
i1 n1_m1_4000_0 0 1m
r3 n1_m1_90000_0 n1_m1_94000_0 1
i2 n1_m1_94000_0 0 3m
.end
