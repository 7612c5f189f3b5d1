; options: -arch=compute_90
; Types and tensor instructions: f16, bf16 by inline assembly, f64, i64 and i128, mma, votes, launch bounds, a cluster.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @types(half addrspace(1)* %h, double addrspace(1)* %d, i128 addrspace(1)* %w, i32 %n) {
entry:
  %x = load half, half addrspace(1)* %h, align 2
  %y = fadd half %x, 0xH3C00
  %xf = fpext half %y to float
  %rt = call float @llvm.nvvm.sqrt.rn.f(float %xf)
  %ex = call float @llvm.nvvm.ex2.approx.ftz.f(float %rt)
  %back = fptrunc float %ex to half
  store half %back, half addrspace(1)* %h, align 2
  %a = load double, double addrspace(1)* %d, align 8
  %q = fdiv double %a, 3.0
  %m = call double @llvm.maxnum.f64(double %q, double 0.0)
  store double %m, double addrspace(1)* %d, align 8
  %i = load i128, i128 addrspace(1)* %w, align 16
  %sq = mul i128 %i, %i
  store i128 %sq, i128 addrspace(1)* %w, align 16
  %c = call i32 @llvm.ctpop.i32(i32 %n)
  %z = call i32 @llvm.ctlz.i32(i32 %c, i1 false)
  %odd = trunc i32 %n to i1
  %vote = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %mixed = add i32 %z, %vote
  %bits = call i16 asm "{ .reg .b16 one; mov.b16 one, 0x3f80;\0A\09fma.rn.bf16 $0, $1, one, $1; }", "=h,h"(i16 16256)
  %wide = zext i16 %bits to i32
  %all = add i32 %mixed, %wide
  %p = bitcast half addrspace(1)* %h to i32 addrspace(1)*
  %p1 = getelementptr i32, i32 addrspace(1)* %p, i32 1
  store i32 %all, i32 addrspace(1)* %p1, align 4
  ret void
}

define void @tensor(i32 addrspace(1)* %a, float addrspace(1)* %c) {
entry:
  %v = load i32, i32 addrspace(1)* %a, align 4
  %f = load float, float addrspace(1)* %c, align 4
  %r = call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $4, $4, $4}, {$4, $4}, {$5, $5, $5, $5};", "=f,=f,=f,=f,r,f"(i32 %v, float %f)
  %s = extractvalue { float, float, float, float } %r, 3
  store float %s, float addrspace(1)* %c, align 4
  %done = call i32 asm sideeffect "{ .reg .pred done; LOOP_${:uid}:\0A\09mbarrier.try_wait.parity.shared::cta.b64 done, [$1], 0;\0A\09@!done bra LOOP_${:uid};\0A\09selp.b32 $0, 1, 0, done; }", "=r,r,~{memory}"(i32 %v)
  store i32 %done, i32 addrspace(1)* %a, align 4
  ret void
}

declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.ex2.approx.ftz.f(float)
declare double @llvm.maxnum.f64(double, double)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)

!nvvm.annotations = !{!0, !1}
!0 = !{void (half addrspace(1)*, double addrspace(1)*, i128 addrspace(1)*, i32)* @types, !"kernel", i32 1, !"maxntidx", i32 128, !"minctasm", i32 2, !"maxnreg", i32 64}
!1 = !{void (i32 addrspace(1)*, float addrspace(1)*)* @tensor, !"kernel", i32 1, !"reqntidx", i32 32, !"reqntidy", i32 2, !"reqntidz", i32 1, !"cluster_dim_x", i32 2, !"cluster_dim_y", i32 1, !"cluster_dim_z", i32 1}
!nvvmir.version = !{!2}
!2 = !{i32 2, i32 0}
