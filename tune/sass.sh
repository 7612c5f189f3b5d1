#!/bin/bash
# sass.sh PTX ENTRY : histogram of the longest loop body
PTXAS=ptxas
$PTXAS -arch=${3:-sm_90a} -O3 $1 -o k.cubin && nvdisasm -c -fun "" k.cubin > /dev/null 2>&1
nvdisasm -c k.cubin | awk -v f="$2" '/^\.text\./{on=($0 ~ f":")} on' > $2.sass
python3 - $2.sass <<'P'
import re,sys,collections
lines=open(sys.argv[1]).read().splitlines()
ins=[];labels={}
for l in lines:
    m=re.match(r'\s*(\.L_x_\d+):',l)
    if m: labels[m.group(1)]=len(ins); continue
    m=re.match(r'\s*/\*[0-9a-f]+\*/\s+(.*?);',l)
    if m: ins.append(m.group(1))
loops=[]
for n,i in enumerate(ins):
    m=re.search(r'BRA.*`\((\.L_x_\d+)\)',i)
    if m and m.group(1) in labels and labels[m.group(1)]<=n: loops.append((labels[m.group(1)],n))
print(len(ins),'instructions; loops',[(a,b,b-a+1) for a,b in loops])
if not loops: sys.exit()
# innermost loop with most FFMA
best=max(loops,key=lambda ab:(sum('FFMA' in x for x in ins[ab[0]:ab[1]+1])/(ab[1]-ab[0]+1)*min(1,(ab[1]-ab[0])/100)))
h=collections.Counter(re.sub(r'^@!?U?P\d+ ','',x).split()[0] for x in ins[best[0]:best[1]+1])
print(best,best[1]-best[0]+1,h.most_common(30))
P
