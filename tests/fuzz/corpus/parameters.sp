* parameters and expressions
.param a=2 b={a*3+1} c=a**2 d='min(a,b)-max(1,c)' e={-(a%3)^2/4}
.param f = {sqrt(abs(e)) + pow(2, 3) + int(1.5) + log10(10) + exp(0)}
v1 x 0 {a}
r1 x y {b}
r2 y 0 'c+1meg'
i1 y 0 {1u*d} PULSE({0} {1m} 0 {1n} 1n)
