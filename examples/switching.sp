* A row of four blocks behind a package, clocked at 500 MHz
* Package: 0.2 nH and 20 mΩ, then the bump
vdd board 0 1.0
lpkg board bump 0.2n
rpkg bump n1_0_0 20m
* Rail on M1, decoupling capacitance at every block
r1 n1_0_0 n1_10000_0 50m
r2 n1_10000_0 n1_20000_0 50m
r3 n1_20000_0 n1_30000_0 50m
c0 n1_0_0 0 50p
c1 n1_10000_0 0 50p
c2 n1_20000_0 0 50p
c3 n1_30000_0 0 200p
* Each block draws 20 mA, and 120 mA for 100 ps of every clock period
i0 n1_0_0 0 pulse(20m 120m 0.2n 50p 50p 100p 2n)
i1 n1_10000_0 0 pulse(20m 120m 0.3n 50p 50p 100p 2n)
i2 n1_20000_0 0 pulse(20m 120m 0.4n 50p 50p 100p 2n)
i3 n1_30000_0 0 pulse(20m 120m 0.5n 50p 50p 100p 2n)
.tran 10p 10n
.print tran v(n1_30000_0)
.end
