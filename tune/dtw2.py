import ctypes, torch, numpy as np, sys, struct, json, time
cu=ctypes.CDLL("libcuda.so.1"); torch.cuda.init(); torch.zeros(1,device='cuda')
def ck(r):
    if r: raise RuntimeError(f"cu error {r}")
t0=time.time(); mod=ctypes.c_void_p(); ck(cu.cuModuleLoadData(ctypes.byref(mod),open(sys.argv[1],'rb').read()+b'\0')); print("module load s",time.time()-t0,flush=True)
def fn(name):
    f=ctypes.c_void_p(); ck(cu.cuModuleGetFunction(ctypes.byref(f),mod,name.encode())); return f
def launch(f,grid,smem,args):
    keep=[]
    for a in args:
        if isinstance(a,torch.Tensor): keep+=[ctypes.c_uint64(a.data_ptr()),ctypes.c_uint64(a.numel())]
        elif isinstance(a,bytes): keep.append(ctypes.create_string_buffer(a,len(a)))
    arr=(ctypes.c_void_p*len(keep))(*[ctypes.cast(ctypes.byref(b),ctypes.c_void_p) for b in keep])
    ck(cu.cuLaunchKernel(f,*grid,128,1,1,smem,ctypes.c_void_p(torch.cuda.current_stream().cuda_stream),arr,None))
f32=np.float32
def znorm(x):
    x=x.astype(f32); u=(x-x[0]).astype(np.float64); s1=u.sum(); s2=(u*u).sum(); mean=s1/len(x); var=max(0,s2/len(x)-mean*mean)
    if s2==0: return np.zeros(len(x),f32)
    return ((u.astype(f32)-f32(mean)).astype(f32)*f32(1/np.sqrt(var))).astype(f32)
def dtw(q,z,r):
    m=len(q); prev=np.full(m+1,np.inf); prev[0]=0
    for i in range(m):
        cur=np.full(m+1,np.inf); lo=max(0,i-r); hi=min(m-1,i+r)
        d=((q[i]-z[lo:hi+1]).astype(np.float64))**2
        for j in range(lo,hi+1): cur[j+1]=f32(d[j-lo]+min(prev[j],prev[j+1],cur[j]))
        prev=cur
    return prev[m]
rng=np.random.default_rng(1)
cfgs=[json.loads(l) for l in open(sys.argv[2])]
nmax=max(c['n'] for c in cfgs)
S=(np.cumsum(rng.standard_normal(nmax).astype(f32)*f32(.01),dtype=np.float64)+100).astype(f32); Sd=torch.from_numpy(S).cuda()
OUT=torch.empty(nmax,device='cuda'); AG=[torch.empty(nmax,device='cuda') for _ in range(4)]; E=[torch.empty(0,device='cuda') for _ in range(4)]
def run(c,z=1,rolling=0,label=''):
    f=fn(c['entry']); ck(cu.cuFuncSetAttribute(f,8,c['smem'])) if c['smem']>48000 else None
    n,m=c['n'],c['m']; q=rng.standard_normal(m).cumsum().astype(f32); q=znorm(q) if z else q+f32(100)
    qp=np.full(c['width'],np.inf,f32); qp[c['width']-m:]=q; qd=torch.from_numpy(qp).cuda()
    ext=struct.pack('<QQ10I',n,c['windows'],1,1,m,c['r'],c['tile'],c['qt'],c['log2'],1,z,rolling)
    ag=[a[:n] for a in AG] if rolling else E; out=OUT[:n]
    go=lambda: launch(f,c['grid'],c['smem'],[Sd[:n],qd,out,*ag,ext])
    out.fill_(float('nan'))
    for a in ag: a.fill_(7)
    go(); torch.cuda.synchronize()
    assert torch.isnan(out[:m-1]).all().item() and not torch.isnan(out[m-1:]).any().item(), "nan pattern"
    err=0
    if m<=130 and z:
        for w in {0,1,c['tile']-1,c['tile'],n-m,n//2}:
            want=dtw(q,znorm(S[w:w+m]),c['r']); got=out[w+m-1].item(); err=max(err,abs(got-want)/max(want,1e-9))
    ts=[]
    for _ in range(5):
        a=torch.cuda.Event(enable_timing=True);b=torch.cuda.Event(enable_timing=True);a.record();go();b.record();b.synchronize();ts.append(a.elapsed_time(b))
    t=sorted(ts)[2]
    print(f"{label}{c['entry']} m={m} r={c['r']} lanes={1<<c['log2']} tile={c['tile']}: {t:.3f} ms {c['windows']*c['cells']/t/1e9:.2f} TCUPS, {c['windows']/t/1e6:.2f} Gwin/s err {err:.1e}",flush=True)
for c in cfgs:
    try: run(c)
    except Exception as e: print(c['entry'],c['m'],c['r'],'FAILED',e,flush=True)
for c in cfgs:
    if c['m']==5 or (c['m'] in (8,16) and c['r']>=c['m']-1): run(c,1,5,'rolling '); run(c,0,5,'raw rolling '); run(c,0,0,'raw ')
