s (?<x>\d+)_(?<y>\d+)_(?<layer>M\d+)
* t
.subckt s 1_1_M1 2_1_M1 r=2
r1 1_1_M1 2_1_M1 {r}
.ends
v1 1_1_M1 0 1
r2 2_1_M1 0 1
.end
