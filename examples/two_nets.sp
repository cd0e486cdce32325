* A power and a ground net of one metal layer each, fed at one corner, with two cells between them.
* layer: M1,VDD net: 1
* layer: M1,GND net: 0
v1 _X_n1_0_0 0 1.8
rp1 _X_n1_0_0 n1_0_0 0.25
v0 _X_n0_0_0 0 0
rp0 _X_n0_0_0 n0_0_0 0.25
r1 n1_0_0 n1_1000_0 0.5
r2 n1_1000_0 n1_1000_1000 0.5
r3 n1_0_0 n1_0_1000 0.5
r4 n1_0_1000 n1_1000_1000 0.5
r5 n0_0_0 n0_1000_0 0.5
r6 n0_1000_0 n0_1000_1000 0.5
r7 n0_0_0 n0_0_1000 0.5
r8 n0_0_1000 n0_1000_1000 0.5
icpu_v n1_1000_1000 0 50m
icpu_g 0 n0_1000_1000 50m
iram_v n1_1000_0 0 20m
iram_g 0 n0_1000_0 20m
.op
.end
