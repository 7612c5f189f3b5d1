; options: -arch=compute_80 -g -opt=0
; Debug information: .file, .loc with inlined_at, DWARF sections.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @lines(i32 addrspace(1)* %out, i32 %n) !dbg !5 {
entry:
  %x = udiv i32 100, %n, !dbg !9
  %y = add i32 %x, 7, !dbg !10
  store i32 %y, i32 addrspace(1)* %out, align 4, !dbg !11
  ret void, !dbg !12
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!nvvm.annotations = !{!13}
!nvvmir.version = !{!14}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "by hand", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2)
!1 = !DIFile(filename: "lines.cu", directory: "/src")
!2 = !{}
!3 = !{i32 2, !"Dwarf Version", i32 2}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "lines", linkageName: "lines", scope: !1, file: !1, line: 10, type: !6, isLocal: false, isDefinition: true, scopeLine: 10, isOptimized: false, unit: !0, retainedNodes: !2)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = distinct !DISubprogram(name: "square", linkageName: "square", scope: !1, file: !1, line: 3, type: !6, isLocal: true, isDefinition: true, scopeLine: 3, isOptimized: false, unit: !0, retainedNodes: !2)
!9 = !DILocation(line: 4, column: 12, scope: !8, inlinedAt: !15)
!10 = !DILocation(line: 12, column: 9, scope: !5)
!11 = !DILocation(line: 13, column: 3, scope: !5)
!12 = !DILocation(line: 14, column: 1, scope: !5)
!13 = !{void (i32 addrspace(1)*, i32)* @lines, !"kernel", i32 1}
!14 = !{i32 2, i32 0, i32 3, i32 1}
!15 = distinct !DILocation(line: 11, column: 7, scope: !5)
