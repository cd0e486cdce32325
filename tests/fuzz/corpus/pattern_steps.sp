 (?<net>(a+)+)b
* t
v1 aaaaaaaaaaaaaaaaaaaaaaaaaaaac 0 1
r1 aaaaaaaaaaaaaaaaaaaaaaaaaaaac aab 1
r2 aab 0 1
.end
