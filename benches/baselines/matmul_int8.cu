// cuBLASLt's products of int8 matrices, for matmul.py: the best of its algorithms, and after it a kernel that makes f16 of the
// sums. Arguments are m n k of each shape; one JSON line each. The cache is overwritten before each run; medians.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cublasLt.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

constexpr int RUNS = 31, WARM_UP = 5, ALGORITHMS = 32, BLOCK = 256;
constexpr size_t WORKSPACE = 256 << 20, FLUSH = 256 << 20;

void check(bool ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "matmul_int8: %s failed\n", what);
        exit(1);
    }
}

template <class T> T *allocate(size_t count) {
    void *memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)) == cudaSuccess, "cudaMalloc");
    return static_cast<T *>(memory);
}

unsigned blocks(size_t threads) { return unsigned((threads + BLOCK - 1) / BLOCK); }

__global__ void random_codes(int8_t *codes, size_t count, unsigned seed) {
    const size_t i = blockIdx.x * size_t(BLOCK) + threadIdx.x;
    if (i < count) {
        unsigned x = unsigned(i) * 0x9e3779b1u + seed;
        x = (x ^ x >> 16) * 0x85ebca6bu;
        codes[i] = int8_t((x ^ x >> 13) & 255);
    }
}

__global__ void random_scales(float *scales, int count) {
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < count) {
        scales[i] = 1e-4f * float(1 + i * 37 % 101);
    }
}

// Four sums of a row become four f16.
__global__ void dequantise(const int4 *sums, const float *row_scales, const float *col_scales, half2 *c, int n, size_t quads) {
    const size_t i = blockIdx.x * size_t(BLOCK) + threadIdx.x;
    if (i < quads) {
        const int4 s = sums[i];
        const float row = row_scales[i * 4 / n];
        const float4 col = *reinterpret_cast<const float4 *>(col_scales + i * 4 % n);
        c[2 * i] = __floats2half2_rn(s.x * row * col.x, s.y * row * col.y);
        c[2 * i + 1] = __floats2half2_rn(s.z * row * col.z, s.w * row * col.w);
    }
}

struct Timer {
    cudaStream_t stream;
    cudaEvent_t start, end;
    int8_t *flush = allocate<int8_t>(FLUSH);

    Timer() {
        cudaStreamCreate(&stream);
        cudaEventCreate(&start);
        cudaEventCreate(&end);
    }

    // The median in microseconds; a negative number where `work` refuses.
    template <class Work> float median(Work work) {
        std::vector<float> times;
        for (int run = 0; run < WARM_UP + RUNS; run++) {
            cudaMemsetAsync(flush, run, FLUSH, stream);
            cudaEventRecord(start, stream);
            if (!work()) {
                return -1;
            }
            cudaEventRecord(end, stream);
            check(cudaEventSynchronize(end) == cudaSuccess && cudaGetLastError() == cudaSuccess, "a run");
            float milliseconds;
            cudaEventElapsedTime(&milliseconds, start, end);
            if (run >= WARM_UP) {
                times.push_back(milliseconds * 1e3f);
            }
        }
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }
};

// Whether the first sum is that of the first rows.
bool first_is_right(const int8_t *a, const int8_t *b, const int32_t *sums, int k) {
    std::vector<int8_t> x(k), y(k);
    int32_t got = 0, want = 0;
    cudaMemcpy(x.data(), a, k, cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data(), b, k, cudaMemcpyDeviceToHost);
    cudaMemcpy(&got, sums, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < k; i++) {
        want += x[i] * y[i];
    }
    return got == want;
}

void measure(cublasLtHandle_t handle, Timer &timer, void *workspace, int m, int n, int k) {
    auto *a = allocate<int8_t>(size_t(m) * k), *b = allocate<int8_t>(size_t(n) * k);
    auto *sums = allocate<int32_t>(size_t(m) * n);
    auto *c = allocate<half>(size_t(m) * n);
    auto *row_scales = allocate<float>(m), *col_scales = allocate<float>(n);
    random_codes<<<blocks(size_t(m) * k), BLOCK>>>(a, size_t(m) * k, 1);
    random_codes<<<blocks(size_t(n) * k), BLOCK>>>(b, size_t(n) * k, 2);
    random_scales<<<blocks(m), BLOCK>>>(row_scales, m);
    random_scales<<<blocks(n), BLOCK>>>(col_scales, n);
    // Column by column, the transposed product is that of b and a.
    cublasLtMatmulDesc_t product;
    cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32I, CUDA_R_32I);
    const cublasOperation_t transposed = CUBLAS_OP_T, plain = CUBLAS_OP_N;
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSB, &plain, sizeof plain);
    cublasLtMatrixLayout_t of_b, of_a, of_sums;
    cublasLtMatrixLayoutCreate(&of_b, CUDA_R_8I, k, n, k);
    cublasLtMatrixLayoutCreate(&of_a, CUDA_R_8I, k, m, k);
    cublasLtMatrixLayoutCreate(&of_sums, CUDA_R_32I, n, m, n);
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &WORKSPACE, sizeof WORKSPACE);
    cublasLtMatmulHeuristicResult_t found[ALGORITHMS];
    int count = 0;
    cublasLtMatmulAlgoGetHeuristic(handle, product, of_b, of_a, of_sums, of_sums, preference, ALGORITHMS, found, &count);
    const int32_t one = 1, zero = 0;
    auto multiply = [&](const cublasLtMatmulAlgo_t &algorithm) {
        return cublasLtMatmul(handle, product, &one, b, of_b, a, of_a, &zero, sums, of_sums, sums, of_sums, &algorithm, workspace,
                              WORKSPACE, timer.stream) == CUBLAS_STATUS_SUCCESS;
    };
    int best = -1;
    float bare = 0;
    for (int i = 0; i < count; i++) {
        const float us = timer.median([&] { return multiply(found[i].algo); });
        if (us >= 0 && (best < 0 || us < bare)) {
            best = i;
            bare = us;
        }
    }
    if (best >= 0) {
        const size_t quads = size_t(m) * n / 4;
        const float us = timer.median([&] {
            const bool ok = multiply(found[best].algo);
            dequantise<<<blocks(quads), BLOCK, 0, timer.stream>>>(reinterpret_cast<const int4 *>(sums), row_scales, col_scales,
                                                                  reinterpret_cast<half2 *>(c), n, quads);
            return ok;
        });
        check(first_is_right(a, b, sums, k), "the comparison of the first sum");
        printf("{\"shape\":[%d,%d,%d],\"us\":%.3f,\"without_dequantisation_us\":%.3f}\n", m, n, k, us, bare);
        fflush(stdout);
    }
    for (void *memory : {(void *)a, (void *)b, (void *)sums, (void *)c, (void *)row_scales, (void *)col_scales}) {
        cudaFree(memory);
    }
}

int main(int argc, char **argv) {
    cublasLtHandle_t handle;
    check(cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasLtCreate");
    Timer timer;
    void *workspace = allocate<int8_t>(WORKSPACE);
    for (int i = 1; i + 2 < argc; i += 3) {
        measure(handle, timer, workspace, atoi(argv[i]), atoi(argv[i + 1]), atoi(argv[i + 2]));
    }
}
