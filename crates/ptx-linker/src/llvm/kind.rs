//! Types, read by the NVVM writer.

use std::marker::PhantomData;

use llvm_sys::LLVMTypeKind;
use llvm_sys::prelude::*;

use super::api::Api;
use super::value::{Type, Value};

/// What a type is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind<'c> {
    /// No value.
    Void,
    /// `iN`
    Int(u32),
    /// 16-bit IEEE
    Half,
    /// 32-bit IEEE
    Float,
    /// 64-bit IEEE
    Double,
    /// An address in this address space.
    Pointer(u32),
    /// Elements of one type.
    Array(u64, Type<'c>),
    /// Elements of one scalar type.
    Vector(u32, Type<'c>),
    /// Fields, and whether they lie without padding.
    Struct(Vec<Type<'c>>, bool),
    /// Result, parameters, and whether more arguments may follow.
    Function(Type<'c>, Vec<Type<'c>>, bool),
    /// A label.
    Label,
    /// A type that nothing here knows; LLVM's word for it.
    Other(String),
}

impl PartialEq for Type<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl std::fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:p}", self.raw)
    }
}

impl<'c> Type<'c> {
    fn of(api: &'static Api, raw: LLVMTypeRef) -> Self {
        Type { api, raw, context: PhantomData }
    }

    /// Takes the type apart.
    pub(crate) fn kind(self) -> Kind<'c> {
        let (api, raw) = (self.api, self.raw);
        let of = |raw| Self::of(api, raw);
        // SAFETY: a type lives as long as its context, and each function is called on the kind it is for; the
        // indices are below the counts.
        unsafe {
            match (api.LLVMGetTypeKind)(raw) {
                LLVMTypeKind::LLVMVoidTypeKind => Kind::Void,
                LLVMTypeKind::LLVMIntegerTypeKind => Kind::Int((api.LLVMGetIntTypeWidth)(raw)),
                LLVMTypeKind::LLVMHalfTypeKind => Kind::Half,
                LLVMTypeKind::LLVMFloatTypeKind => Kind::Float,
                LLVMTypeKind::LLVMDoubleTypeKind => Kind::Double,
                LLVMTypeKind::LLVMPointerTypeKind => Kind::Pointer((api.LLVMGetPointerAddressSpace)(raw)),
                LLVMTypeKind::LLVMArrayTypeKind => {
                    let element = of((api.LLVMGetElementType)(raw));
                    Kind::Array((api.LLVMGetArrayLength2)(raw), element)
                }
                LLVMTypeKind::LLVMVectorTypeKind => {
                    let element = of((api.LLVMGetElementType)(raw));
                    Kind::Vector((api.LLVMGetVectorSize)(raw), element)
                }
                LLVMTypeKind::LLVMStructTypeKind => {
                    let count = (api.LLVMCountStructElementTypes)(raw);
                    let fields = (0..count).map(|i| of((api.LLVMStructGetTypeAtIndex)(raw, i)));
                    Kind::Struct(fields.collect(), (api.LLVMIsPackedStruct)(raw) != 0)
                }
                LLVMTypeKind::LLVMFunctionTypeKind => {
                    let mut raws = vec![std::ptr::null_mut(); (api.LLVMCountParamTypes)(raw) as usize];
                    (api.LLVMGetParamTypes)(raw, raws.as_mut_ptr());
                    let result = of((api.LLVMGetReturnType)(raw));
                    let parameters = raws.into_iter().map(of).collect();
                    Kind::Function(result, parameters, (api.LLVMIsFunctionVarArg)(raw) != 0)
                }
                LLVMTypeKind::LLVMLabelTypeKind => Kind::Label,
                other => Kind::Other(format!("{other:?}")),
            }
        }
    }
}

impl<'c> Value<'c> {
    /// Any value: its type.
    pub(crate) fn type_of(self) -> Type<'c> {
        // SAFETY: every live value has a type.
        Type::of(self.api, unsafe { (self.api.LLVMTypeOf)(self.raw) })
    }

    /// Any value: what its type is made of.
    pub(crate) fn kind(self) -> Kind<'c> {
        self.type_of().kind()
    }

    /// A call: the type of the function called.
    pub(crate) fn called_type(self) -> Type<'c> {
        // SAFETY: a live call instruction.
        Type::of(self.api, unsafe { (self.api.LLVMGetCalledFunctionType)(self.raw) })
    }

    /// An `alloca`: the type it makes room for.
    pub(crate) fn allocated_type(self) -> Type<'c> {
        // SAFETY: a live `alloca`.
        Type::of(self.api, unsafe { (self.api.LLVMGetAllocatedType)(self.raw) })
    }

    /// A `getelementptr`, instruction or constant: the type it walks.
    pub(crate) fn element_type(self) -> Type<'c> {
        // SAFETY: a live `getelementptr`.
        Type::of(self.api, unsafe { (self.api.LLVMGetGEPSourceElementType)(self.raw) })
    }

    /// A function: the type that parameter `index` is passed as with `byval`.
    pub(crate) fn by_value_type(self, index: u32) -> Option<Type<'c>> {
        let kind = self.kind_of("byval");
        // SAFETY: a live function and an index it has; `byval` carries a type.
        unsafe {
            let attribute = (self.api.LLVMGetEnumAttributeAtIndex)(self.raw, index + 1, kind);
            (!attribute.is_null())
                .then(|| Type::of(self.api, (self.api.LLVMGetTypeAttributeValue)(attribute)))
        }
    }
}
