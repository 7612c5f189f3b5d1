// The wrappers of tensor maps. Rows as in table.rs.
wrappers! {
    @ "sm_90" prefetch_tensormap(map: *const TensorMap) = tma::prefetch_tensormap(&*map) => "prefetch.tensormap";
}
