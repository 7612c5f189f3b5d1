; options: -arch=compute_80
; Control flow: a switch, direct and indirect calls, recursion, aggregates by value, vprintf, trap.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%point = type { i32, [3 x double] }
@format = private addrspace(4) constant [7 x i8] c"%d %f\0A\00", align 1
@table = addrspace(1) global [2 x i32 (i32)*] [i32 (i32)* @twice, i32 (i32)* @fact], align 8

define internal i32 @twice(i32 %x) noinline {
  %y = shl i32 %x, 1
  ret i32 %y
}

define internal i32 @fact(i32 %n) noinline {
entry:
  %last = icmp ult i32 %n, 2
  br i1 %last, label %done, label %more
more:
  %m = sub i32 %n, 1
  %f = call i32 @fact(i32 %m)
  %r = mul i32 %f, %n
  ret i32 %r
done:
  ret i32 1
}

define internal double @sum(%point* byval align 8 %p) noinline {
  %a = getelementptr %point, %point* %p, i32 0, i32 1, i32 2
  %x = load double, double* %a, align 8
  ret double %x
}

define void @control(i32 addrspace(1)* %out, i32 %n, %point* byval align 8 %p) {
entry:
  switch i32 %n, label %other [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
    i32 4, label %four
    i32 5, label %five
  ]
zero:
  %i0 = call i32 @twice(i32 7)
  br label %end
one:
  %i1 = call i32 @fact(i32 %n)
  br label %end
two:
  %slot = getelementptr [2 x i32 (i32)*], [2 x i32 (i32)*] addrspace(1)* @table, i32 0, i32 1
  %f = load i32 (i32)*, i32 (i32)* addrspace(1)* %slot, align 8
  %i2 = call i32 %f(i32 %n)
  br label %end
three:
  %d = call double @sum(%point* byval align 8 %p)
  %i3 = fptosi double %d to i32
  br label %end
four:
  %buffer = alloca { i32, double }, align 8
  %b0 = getelementptr { i32, double }, { i32, double }* %buffer, i32 0, i32 0
  store i32 %n, i32* %b0, align 8
  %raw = bitcast { i32, double }* %buffer to i8*
  %text = addrspacecast [7 x i8] addrspace(4)* @format to [7 x i8]*
  %text8 = bitcast [7 x i8]* %text to i8*
  %i4 = call i32 @vprintf(i8* %text8, i8* %raw)
  br label %end
five:
  call void @llvm.trap()
  unreachable
other:
  br label %loop
loop:
  %i = phi i32 [ 0, %other ], [ %next, %loop ]
  %acc = phi i32 [ 1, %other ], [ %acc2, %loop ]
  %acc2 = call i32 asm sideeffect "{ .reg .pred p; .reg .b32 t;\0A\09setp.gt.s32 p, $1, 3;\0A\09@p add.s32 t, $1, $2;\0A\09@!p mov.b32 t, $2;\0A\09mov.b32 $0, t; }", "=r,r,r"(i32 %i, i32 %acc)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ %i0, %zero ], [ %i1, %one ], [ %i2, %two ], [ %i3, %three ], [ %i4, %four ], [ %acc2, %loop ]
  store i32 %r, i32 addrspace(1)* %out, align 4
  ret void
}

declare i32 @vprintf(i8*, i8*)
declare void @llvm.trap()

!nvvm.annotations = !{!0}
!0 = !{void (i32 addrspace(1)*, i32, %point*)* @control, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
