r1 a 0 1
v1 a 0 1
.ic v(a)=1
.nodeset v(a)=1
.measure tran x max v(a)
.ac dec 10 1 1k
.control
run
r2 a 0 1
.if (x)
.endc
.if (x==1)
r3 a 0 1
.if (y)
.endif
.else
r3 a 0 2
.endif
.data d r1
1
.enddata
.alter fast
r1 a 0 2
.end
