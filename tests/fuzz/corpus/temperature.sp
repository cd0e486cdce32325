Random power grid 7
.param hot={100+25}
.temp {hot}
.option post temp=85, tnom = 25 parhier=local
.model metal R(tc1=2m, tc2=1u tnom={hot})
.model sheet res (rsh=10 l=4u defw=2u narrow=0.1u short=0.1u kf=1)
.model nch nmos (level=54 vth0={x})
V1 a 0 AC 1 90 DC=1.2
r1 a b 1k TC=0.004,1e-5 M=2
r2 a b metal 1k dtemp={hot-5} scale=1.5
r3 b c sheet l=10u w=2u temp=60
r4 c 0 {1k*(1+4m*(temper-27))} noisy=0
c1 c 0 1p m=2 tc1=1m ic=0
l1 c d l=1n m=2
i1 d 0 PULSE(0 1m 0 1n 1n 5n 20n) M={2} dc 1m
.subckt cell p q params: r=1 params: w=2
r1 p q {r*w} metal
.ends
x1 d 0 cell m=2 params: r=3
