chip
*|DSPF 1.5
*|DIVIDER /
.subckt chip VDD
*|GROUND_NET 0
*|NET VDD 1PF
*|P (VDD X 0 0 0)
*|I (XI1:VDD XI1 VDD I 0 30 20)
*|S (VDD:1 10 0) (VDD:2 1 2) // $lvl=3
R1 VDD VDD:1 1.5 $l=10 $w=0.4u $lvl=10
R2 VDD:1 VDD:2 2 $w=1e-7 $layer=M3
R3 VDD:2 XI1:VDD 2 $X=12 $Y=13
I1 XI1:VDD 0 1m
.ends
V1 VDD 0 1
.end
