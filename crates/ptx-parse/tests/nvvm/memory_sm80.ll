; options: -arch=compute_80
; State spaces: static and dynamic shared, constant, local, global initialisers, vectors, atomics.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x float] undef, align 16
@dyn = external addrspace(3) global [0 x i32], align 16
@weights = addrspace(4) constant [4 x float] [float 1.0, float 0.5, float 0.25, float -0.125], align 4
@bytes = addrspace(1) constant [6 x i8] c"ab\0A\00\FF\22", align 1
@pair = addrspace(1) global { i16, i64 } { i16 -2, i64 4294967296 }, align 8
@address = addrspace(1) global i8* addrspacecast (i8 addrspace(1)* getelementptr ([6 x i8], [6 x i8] addrspace(1)* @bytes, i32 0, i32 2) to i8*), align 8
@counter = external addrspace(1) global i32, align 4

define void @spaces(float addrspace(1)* %in, float addrspace(1)* %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %pin = getelementptr float, float addrspace(1)* %in, i64 %wide
  %x = load float, float addrspace(1)* %pin, align 4
  %slot = getelementptr [64 x float], [64 x float] addrspace(3)* @tile, i32 0, i32 %tid
  store float %x, float addrspace(3)* %slot, align 4
  call void @llvm.nvvm.barrier0()
  %other = xor i32 %tid, 1
  %slot2 = getelementptr [64 x float], [64 x float] addrspace(3)* @tile, i32 0, i32 %other
  %y = load float, float addrspace(3)* %slot2, align 4
  %k = and i32 %tid, 3
  %pw = getelementptr [4 x float], [4 x float] addrspace(4)* @weights, i32 0, i32 %k
  %w = load float, float addrspace(4)* %pw, align 4
  %z = call float @llvm.fma.f32(float %y, float %w, float 0.75)
  %d = getelementptr [0 x i32], [0 x i32] addrspace(3)* @dyn, i32 0, i32 %tid
  store i32 %n, i32 addrspace(3)* %d, align 4
  %old = atomicrmw add i32 addrspace(1)* @counter, i32 1 monotonic
  %cas = cmpxchg i32 addrspace(1)* @counter, i32 %old, i32 0 seq_cst seq_cst
  %shf = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 %old, i32 1, i32 31)
  %lane = extractvalue { i32, i1 } %shf, 0
  %from = extractvalue { i32, i1 } %shf, 1
  %f = uitofp i32 %lane to float
  %sum = fadd float %z, %f
  %res = select i1 %from, float %sum, float %z
  %pout = getelementptr float, float addrspace(1)* %out, i64 %wide
  store float %res, float addrspace(1)* %pout, align 4
  ret void
}

define void @local_array(<4 x i32> addrspace(1)* %in, i32 addrspace(1)* %out, i32 %i) {
entry:
  %array = alloca [8 x i32], align 16
  %low = bitcast [8 x i32]* %array to <4 x i32>*
  %v = load <4 x i32>, <4 x i32> addrspace(1)* %in, align 16
  store volatile <4 x i32> %v, <4 x i32>* %low, align 16
  %p = getelementptr [8 x i32], [8 x i32]* %array, i32 0, i32 %i
  %x = load volatile i32, i32* %p, align 4
  %q = load i8*, i8* addrspace(1)* @address, align 8
  %b = load i8, i8* %q, align 1
  %c = sext i8 %b to i32
  %h = load i16, i16 addrspace(1)* getelementptr ({ i16, i64 }, { i16, i64 } addrspace(1)* @pair, i32 0, i32 0), align 8
  %g = sext i16 %h to i32
  %s = add i32 %x, %c
  %t = add i32 %s, %g
  store i32 %t, i32 addrspace(1)* %out, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare float @llvm.fma.f32(float, float, float)
declare { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)

!nvvm.annotations = !{!0, !1}
!0 = !{void (float addrspace(1)*, float addrspace(1)*, i32)* @spaces, !"kernel", i32 1}
!1 = !{void (<4 x i32> addrspace(1)*, i32 addrspace(1)*, i32)* @local_array, !"kernel", i32 1}
!nvvmir.version = !{!2}
!2 = !{i32 2, i32 0}
