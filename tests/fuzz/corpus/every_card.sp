every card once
* layer: M1,VDD net: 1
* layer: M2,VDD net: 2
* nominal: VDD 1.8
* dbu: 1000
* Netlist for VDD on default
r1 n1_0_0 n1_1000_0 1.5k
R2 n1_1000_0 n2_1000_0 R=2 tc1=0.1
c1 n2_1000_0 0 10f ic=0
l1 n2_1000_0 _X_n2_1000_0 1n
v1 _X_n2_1000_0 gnd DC 1.8 AC 1 0
i1 n1_0_0 0 1m
i2 n1_1000_0 0 DC=1u PULSE(0 1m 0, 1n 1n 2n 10n)
i3_v n1_0_0 0 PWL(0 0 1n 1m
+ 2n 0)
i3_g 0 n1_0_0 SIN(0 1 1k) ; comment
i4 n1_0_0 0 EXP(0 1m 1n 2n) $ comment
.op
.tran 1n 10n uic
.print tran V(n1_0_0) v( n1_1000_0 )
.option post=1
.width out=80
.save all
.end
