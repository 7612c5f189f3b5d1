//! The table of libLLVM functions the linker calls, filled from the one library that `load` opened.
//!
//! The types are those of `llvm-sys`; its declarations are never linked, only compared with the table.

use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};

use libloading::Library;
use llvm_sys::error::*;
use llvm_sys::error_handling::LLVMFatalErrorHandler;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use llvm_sys::target_machine::*;
use llvm_sys::transforms::pass_builder::LLVMPassBuilderOptionsRef;
use llvm_sys::*;

/// Declares `Api` with one field per function, its loader, and a check of every type against `llvm-sys`.
macro_rules! api {
    ($($place:ident :: { $($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)* })*) => {
        /// The functions, each as an address inside libLLVM.
        #[allow(non_snake_case, reason = "the fields carry the names of the C functions")]
        pub(super) struct Api {
            $($(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*)*
        }

        impl Api {
            /// Looks every function up; the error is the name of the first one that is missing.
            pub(super) fn load(library: &'static Library) -> Result<Self, &'static str> {
                Ok(Self {
                    $($($name: {
                        // SAFETY: the type is the one that `llvm-sys` declares for this name (checked below)
                        // and the caller has compared the library's version with that of `llvm-sys`.
                        let symbol = unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) };
                        *symbol.map_err(|_| stringify!($name))?
                    },)*)*
                })
            }
        }

        /// Compiled, never called and never linked: the table's types are those of `llvm-sys`.
        #[allow(
            dead_code,
            clippy::extra_unused_type_parameters,
            reason = "exists for the type check alone; generic, so that no code is made for it"
        )]
        fn declared_as_in_llvm_sys<Never>() {
            $($(let _: unsafe extern "C" fn($($argument),*) $(-> $result)? = $place::$name;)*)*
        }
    };
}

api! {
    core::{
        LLVMContextCreate: fn() -> LLVMContextRef;
        LLVMContextDispose: fn(LLVMContextRef);
        LLVMContextSetDiagnosticHandler: fn(LLVMContextRef, LLVMDiagnosticHandler, *mut c_void);
        LLVMGetDiagInfoDescription: fn(LLVMDiagnosticInfoRef) -> *mut c_char;
        LLVMGetDiagInfoSeverity: fn(LLVMDiagnosticInfoRef) -> LLVMDiagnosticSeverity;
        LLVMDisposeMessage: fn(*mut c_char);

        LLVMCreateMemoryBufferWithMemoryRangeCopy: fn(*const c_char, usize, *const c_char) -> LLVMMemoryBufferRef;
        LLVMGetBufferStart: fn(LLVMMemoryBufferRef) -> *const c_char;
        LLVMGetBufferSize: fn(LLVMMemoryBufferRef) -> usize;
        LLVMDisposeMemoryBuffer: fn(LLVMMemoryBufferRef);

        LLVMCloneModule: fn(LLVMModuleRef) -> LLVMModuleRef;
        LLVMDisposeModule: fn(LLVMModuleRef);
        LLVMGetTarget: fn(LLVMModuleRef) -> *const c_char;
        LLVMGetFirstFunction: fn(LLVMModuleRef) -> LLVMValueRef;
        LLVMGetNextFunction: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMGetFirstGlobal: fn(LLVMModuleRef) -> LLVMValueRef;
        LLVMGetNextGlobal: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMGetFirstGlobalAlias: fn(LLVMModuleRef) -> LLVMValueRef;
        LLVMGetNextGlobalAlias: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMAddGlobal: fn(LLVMModuleRef, LLVMTypeRef, *const c_char) -> LLVMValueRef;
        LLVMAddGlobalInAddressSpace: fn(LLVMModuleRef, LLVMTypeRef, *const c_char, c_uint) -> LLVMValueRef;
        LLVMDeleteGlobal: fn(LLVMValueRef);

        LLVMGetValueName2: fn(LLVMValueRef, *mut usize) -> *const c_char;
        LLVMSetValueName2: fn(LLVMValueRef, *const c_char, usize);
        LLVMTypeOf: fn(LLVMValueRef) -> LLVMTypeRef;
        LLVMGetTypeKind: fn(LLVMTypeRef) -> LLVMTypeKind;
        LLVMInt8TypeInContext: fn(LLVMContextRef) -> LLVMTypeRef;
        LLVMArrayType2: fn(LLVMTypeRef, u64) -> LLVMTypeRef;
        LLVMGetElementType: fn(LLVMTypeRef) -> LLVMTypeRef;
        LLVMGetPointerAddressSpace: fn(LLVMTypeRef) -> c_uint;

        LLVMIsDeclaration: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetLinkage: fn(LLVMValueRef) -> LLVMLinkage;
        LLVMSetLinkage: fn(LLVMValueRef, LLVMLinkage);
        LLVMSetVisibility: fn(LLVMValueRef, LLVMVisibility);
        LLVMGetSection: fn(LLVMValueRef) -> *const c_char;
        LLVMSetSection: fn(LLVMValueRef, *const c_char);
        LLVMGlobalGetValueType: fn(LLVMValueRef) -> LLVMTypeRef;
        LLVMGetInitializer: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMSetInitializer: fn(LLVMValueRef, LLVMValueRef);
        LLVMGetAlignment: fn(LLVMValueRef) -> c_uint;
        LLVMSetAlignment: fn(LLVMValueRef, c_uint);

        LLVMGetUndef: fn(LLVMTypeRef) -> LLVMValueRef;
        LLVMIsUndef: fn(LLVMValueRef) -> LLVMBool;
        LLVMIsAConstantStruct: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMIsAConstantDataArray: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMGetAsString: fn(LLVMValueRef, *mut usize) -> *const c_char;
        LLVMConstArray2: fn(LLVMTypeRef, *mut LLVMValueRef, u64) -> LLVMValueRef;
        LLVMConstAddrSpaceCast: fn(LLVMValueRef, LLVMTypeRef) -> LLVMValueRef;
        LLVMReplaceAllUsesWith: fn(LLVMValueRef, LLVMValueRef);
        LLVMGetNumOperands: fn(LLVMValueRef) -> i32;
        LLVMGetOperand: fn(LLVMValueRef, c_uint) -> LLVMValueRef;
        LLVMGetFirstUse: fn(LLVMValueRef) -> LLVMUseRef;
        LLVMGetNextUse: fn(LLVMUseRef) -> LLVMUseRef;
        LLVMGetUser: fn(LLVMUseRef) -> LLVMValueRef;

        LLVMIsAFunction: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMIsAGlobalValue: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMIsAInstruction: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMIsACallInst: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMIsAInvokeInst: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMIsACallBrInst: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMIsAInlineAsm: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMGetInlineAsmHasSideEffects: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetCalledValue: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMGetFunctionCallConv: fn(LLVMValueRef) -> c_uint;
        LLVMCountParams: fn(LLVMValueRef) -> c_uint;
        LLVMGetParamParent: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMGetParam: fn(LLVMValueRef, c_uint) -> LLVMValueRef;
        LLVMGetFirstBasicBlock: fn(LLVMValueRef) -> LLVMBasicBlockRef;
        LLVMGetNextBasicBlock: fn(LLVMBasicBlockRef) -> LLVMBasicBlockRef;
        LLVMGetBasicBlockParent: fn(LLVMBasicBlockRef) -> LLVMValueRef;
        LLVMGetFirstInstruction: fn(LLVMBasicBlockRef) -> LLVMValueRef;
        LLVMGetNextInstruction: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMGetInstructionParent: fn(LLVMValueRef) -> LLVMBasicBlockRef;

        LLVMGetEnumAttributeKindForName: fn(*const c_char, usize) -> c_uint;
        LLVMCreateEnumAttribute: fn(LLVMContextRef, c_uint, u64) -> LLVMAttributeRef;
        LLVMCreateTypeAttribute: fn(LLVMContextRef, c_uint, LLVMTypeRef) -> LLVMAttributeRef;
        LLVMCreateStringAttribute: fn(LLVMContextRef, *const c_char, c_uint, *const c_char, c_uint) -> LLVMAttributeRef;
        LLVMAddAttributeAtIndex: fn(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef);
        LLVMGetEnumAttributeAtIndex: fn(LLVMValueRef, LLVMAttributeIndex, c_uint) -> LLVMAttributeRef;
        LLVMAddCallSiteAttribute: fn(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef);
        LLVMGetCallSiteEnumAttribute: fn(LLVMValueRef, LLVMAttributeIndex, c_uint) -> LLVMAttributeRef;
        LLVMGetStringAttributeAtIndex: fn(LLVMValueRef, LLVMAttributeIndex, *const c_char, c_uint) -> LLVMAttributeRef;
        LLVMGetStringAttributeValue: fn(LLVMAttributeRef, *mut c_uint) -> *const c_char;
        LLVMGetEnumAttributeValue: fn(LLVMAttributeRef) -> u64;
        LLVMGetTypeAttributeValue: fn(LLVMAttributeRef) -> LLVMTypeRef;

        LLVMPrintModuleToString: fn(LLVMModuleRef) -> *mut c_char;
        LLVMPrintValueToString: fn(LLVMValueRef) -> *mut c_char;
        LLVMGetValueKind: fn(LLVMValueRef) -> LLVMValueKind;
        LLVMGetIntTypeWidth: fn(LLVMTypeRef) -> c_uint;
        LLVMIntTypeInContext: fn(LLVMContextRef, c_uint) -> LLVMTypeRef;
        LLVMCountStructElementTypes: fn(LLVMTypeRef) -> c_uint;
        LLVMStructGetTypeAtIndex: fn(LLVMTypeRef, c_uint) -> LLVMTypeRef;
        LLVMIsPackedStruct: fn(LLVMTypeRef) -> LLVMBool;
        LLVMGetArrayLength2: fn(LLVMTypeRef) -> u64;
        LLVMGetVectorSize: fn(LLVMTypeRef) -> c_uint;
        LLVMGetReturnType: fn(LLVMTypeRef) -> LLVMTypeRef;
        LLVMCountParamTypes: fn(LLVMTypeRef) -> c_uint;
        LLVMGetParamTypes: fn(LLVMTypeRef, *mut LLVMTypeRef);
        LLVMIsFunctionVarArg: fn(LLVMTypeRef) -> LLVMBool;
        LLVMConstIntGetZExtValue: fn(LLVMValueRef) -> c_ulonglong;
        LLVMConstBitCast: fn(LLVMValueRef, LLVMTypeRef) -> LLVMValueRef;
        LLVMGetAggregateElement: fn(LLVMValueRef, c_uint) -> LLVMValueRef;
        LLVMGetConstOpcode: fn(LLVMValueRef) -> LLVMOpcode;
        LLVMIsGlobalConstant: fn(LLVMValueRef) -> LLVMBool;
        LLVMIsThreadLocal: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetInstructionOpcode: fn(LLVMValueRef) -> LLVMOpcode;
        LLVMGetICmpPredicate: fn(LLVMValueRef) -> LLVMIntPredicate;
        LLVMGetICmpSameSign: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetFCmpPredicate: fn(LLVMValueRef) -> LLVMRealPredicate;
        LLVMGetNSW: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetNUW: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetExact: fn(LLVMValueRef) -> LLVMBool;
        LLVMCanValueUseFastMathFlags: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetFastMathFlags: fn(LLVMValueRef) -> LLVMFastMathFlags;
        LLVMGetAllocatedType: fn(LLVMValueRef) -> LLVMTypeRef;
        LLVMGetVolatile: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetOrdering: fn(LLVMValueRef) -> LLVMAtomicOrdering;
        LLVMIsInBounds: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetGEPSourceElementType: fn(LLVMValueRef) -> LLVMTypeRef;
        LLVMCountIncoming: fn(LLVMValueRef) -> c_uint;
        LLVMGetIncomingValue: fn(LLVMValueRef, c_uint) -> LLVMValueRef;
        LLVMGetIncomingBlock: fn(LLVMValueRef, c_uint) -> LLVMBasicBlockRef;
        LLVMGetNumSuccessors: fn(LLVMValueRef) -> c_uint;
        LLVMGetSuccessor: fn(LLVMValueRef, c_uint) -> LLVMBasicBlockRef;
        LLVMIsConditional: fn(LLVMValueRef) -> LLVMBool;
        LLVMGetCondition: fn(LLVMValueRef) -> LLVMValueRef;
        LLVMGetSwitchCaseValue: fn(LLVMValueRef, c_uint) -> LLVMValueRef;
        LLVMGetNumIndices: fn(LLVMValueRef) -> c_uint;
        LLVMGetIndices: fn(LLVMValueRef) -> *const c_uint;
        LLVMGetNumMaskElements: fn(LLVMValueRef) -> c_uint;
        LLVMGetMaskValue: fn(LLVMValueRef, c_uint) -> c_int;
        LLVMGetNumArgOperands: fn(LLVMValueRef) -> c_uint;
        LLVMGetCalledFunctionType: fn(LLVMValueRef) -> LLVMTypeRef;
        LLVMGetInlineAsmAsmString: fn(LLVMValueRef, *mut usize) -> *const c_char;
        LLVMGetInlineAsmConstraintString: fn(LLVMValueRef, *mut usize) -> *const c_char;
        LLVMGetMDKindIDInContext: fn(LLVMContextRef, *const c_char, c_uint) -> c_uint;
        LLVMGetMetadata: fn(LLVMValueRef, c_uint) -> LLVMValueRef;
        LLVMGetTypeContext: fn(LLVMTypeRef) -> LLVMContextRef;
        LLVMGetAtomicRMWBinOp: fn(LLVMValueRef) -> LLVMAtomicRMWBinOp;
        LLVMGetAtomicSyncScopeID: fn(LLVMValueRef) -> c_uint;
        LLVMGetSyncScopeID: fn(LLVMContextRef, *const c_char, usize) -> c_uint;
        LLVMGetCmpXchgSuccessOrdering: fn(LLVMValueRef) -> LLVMAtomicOrdering;
        LLVMGetCmpXchgFailureOrdering: fn(LLVMValueRef) -> LLVMAtomicOrdering;

        LLVMCreateBuilderInContext: fn(LLVMContextRef) -> LLVMBuilderRef;
        LLVMDisposeBuilder: fn(LLVMBuilderRef);
        LLVMPositionBuilderBefore: fn(LLVMBuilderRef, LLVMValueRef);
        LLVMVoidTypeInContext: fn(LLVMContextRef) -> LLVMTypeRef;
        LLVMFunctionType: fn(LLVMTypeRef, *mut LLVMTypeRef, c_uint, LLVMBool) -> LLVMTypeRef;
        LLVMGetInlineAsm: fn(LLVMTypeRef, *const c_char, usize, *const c_char, usize, LLVMBool, LLVMBool, LLVMInlineAsmDialect, LLVMBool) -> LLVMValueRef;
        LLVMBuildCall2: fn(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, *mut LLVMValueRef, c_uint, *const c_char) -> LLVMValueRef;
        LLVMBuildCast: fn(LLVMBuilderRef, LLVMOpcode, LLVMValueRef, LLVMTypeRef, *const c_char) -> LLVMValueRef;
        LLVMBuildNeg: fn(LLVMBuilderRef, LLVMValueRef, *const c_char) -> LLVMValueRef;
        LLVMBuildICmp: fn(LLVMBuilderRef, LLVMIntPredicate, LLVMValueRef, LLVMValueRef, *const c_char) -> LLVMValueRef;
        LLVMBuildNot: fn(LLVMBuilderRef, LLVMValueRef, *const c_char) -> LLVMValueRef;
        LLVMBuildBinOp: fn(LLVMBuilderRef, LLVMOpcode, LLVMValueRef, LLVMValueRef, *const c_char) -> LLVMValueRef;
        LLVMBuildSelect: fn(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef, *const c_char) -> LLVMValueRef;
        LLVMBuildLoad2: fn(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, *const c_char) -> LLVMValueRef;
        LLVMBuildStore: fn(LLVMBuilderRef, LLVMValueRef, LLVMValueRef) -> LLVMValueRef;
        LLVMSetOrdering: fn(LLVMValueRef, LLVMAtomicOrdering);
        LLVMBuildInsertValue: fn(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, c_uint, *const c_char) -> LLVMValueRef;
        LLVMInstructionEraseFromParent: fn(LLVMValueRef);
    }
    ir_reader::{
        LLVMParseIRInContext2: fn(LLVMContextRef, LLVMMemoryBufferRef, *mut LLVMModuleRef, *mut *mut c_char) -> LLVMBool;
    }
    bit_reader::{
        LLVMGetBitcodeModuleInContext2: fn(LLVMContextRef, LLVMMemoryBufferRef, *mut LLVMModuleRef) -> LLVMBool;
    }
    bit_writer::{
        LLVMWriteBitcodeToMemoryBuffer: fn(LLVMModuleRef) -> LLVMMemoryBufferRef;
    }
    linker::{
        LLVMLinkModules2: fn(LLVMModuleRef, LLVMModuleRef) -> LLVMBool;
    }
    analysis::{
        LLVMVerifyModule: fn(LLVMModuleRef, analysis::LLVMVerifierFailureAction, *mut *mut c_char) -> LLVMBool;
    }
    error_handling::{
        LLVMInstallFatalErrorHandler: fn(LLVMFatalErrorHandler);
    }
    error::{
        LLVMGetErrorMessage: fn(LLVMErrorRef) -> *mut c_char;
        LLVMDisposeErrorMessage: fn(*mut c_char);
    }
    target::{
        LLVMInitializeNVPTXTargetInfo: fn();
        LLVMInitializeNVPTXTarget: fn();
        LLVMInitializeNVPTXTargetMC: fn();
        LLVMInitializeNVPTXAsmPrinter: fn();
        LLVMGetModuleDataLayout: fn(LLVMModuleRef) -> LLVMTargetDataRef;
        LLVMABISizeOfType: fn(LLVMTargetDataRef, LLVMTypeRef) -> c_ulonglong;
        LLVMABIAlignmentOfType: fn(LLVMTargetDataRef, LLVMTypeRef) -> c_uint;
    }
    target_machine::{
        LLVMGetTargetFromTriple: fn(*const c_char, *mut LLVMTargetRef, *mut *mut c_char) -> LLVMBool;
        LLVMCreateTargetMachine: fn(LLVMTargetRef, *const c_char, *const c_char, *const c_char, LLVMCodeGenOptLevel, LLVMRelocMode, LLVMCodeModel) -> LLVMTargetMachineRef;
        LLVMDisposeTargetMachine: fn(LLVMTargetMachineRef);
        LLVMTargetMachineEmitToMemoryBuffer: fn(LLVMTargetMachineRef, LLVMModuleRef, LLVMCodeGenFileType, *mut *mut c_char, *mut LLVMMemoryBufferRef) -> LLVMBool;
    }
    transforms::{
        LLVMRunPasses: fn(LLVMModuleRef, *const c_char, LLVMTargetMachineRef, LLVMPassBuilderOptionsRef) -> LLVMErrorRef;
        LLVMCreatePassBuilderOptions: fn() -> LLVMPassBuilderOptionsRef;
        LLVMDisposePassBuilderOptions: fn(LLVMPassBuilderOptionsRef);
    }
}

/// `transforms::NAME` for the table; `llvm-sys` keeps these one module deeper.
mod transforms {
    pub(super) use llvm_sys::transforms::pass_builder::*;
}
