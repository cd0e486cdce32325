
* t
.watch v(a)
.FUNC f(x,y) {if(x>1&~(y>2),x,limit(y,0,1))}
.SUBCKT s a b PARAMS: w=1
R1 a b {f(w,2)+table(w,0,1,2,3)}
.ENDS
X1 a b s PARAMS: w=2
V1 a 0 PWL (0,1) (1n,2)
R2 b 0 {pwr(-2,2)+pwrs(2,2)}
.aliases
x
.endaliases
.END
