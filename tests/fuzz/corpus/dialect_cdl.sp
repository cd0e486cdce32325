
*.BIPOLAR
*.MEGA
.PARAM
*.GLOBAL vdd!:P
+ gnd!
*.PIN vdd!
*+ gnd!
.SUBCKT c a
*.PININFO a:B
RR0 vdd! a 1K $[rp] $SUB=gnd! $W=1u M=2
RR1 a sub 2K
.ENDS
XI0 x / c
v1 vdd! 0 1
r2 x 0 1
.end
