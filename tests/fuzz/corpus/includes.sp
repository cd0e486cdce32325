* includes
.include b.sp
.lib b.sp slow
r1 a b 1
.end
*** b.sp
v1 a 0 1
.lib fast
r2 a b 1
.endl fast
.lib slow
r2 a b 2
i1 b 0 1m
.endl
