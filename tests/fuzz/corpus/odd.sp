* floating parts, shorts, loops, negative values, cards to skip
v1 a 0 1
v2 a b 0
v3 b 0 1
v4 c d 0.5
r1 c e 0
r2 e f 1e-6
r3 f d 1e6
r4 a g 1
r5 g g 3
r6 vdd_m1_0_0 vdd_m2_0_0 1
r7 Node_metal10_20_30 ITermNode_metal1_20_30 2
r8 vss:12 vss#4 1
m1 d g s b nmos
.measure tran x
k1 l1 l2 0.9
i1 g 0 1
i2 f d 1
