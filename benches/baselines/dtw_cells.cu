// The cell rate of DTW in plain CUDA C++, for dtw.py: no windows, no statistics, no results but one per thread.
//
// A thread has 32 columns in registers and takes two series through them, row by row, so that two chains of cells are
// independent. The minimum of three is taken of the bits as integers, which sm_90 has one instruction for.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

constexpr int COLUMNS = 32, ROWS = 2048, BLOCK = 128, BLOCKS_PER_SM = 32, POINTS = 1024, RUNS = 31;

__device__ float least(float a, float b, float c) {
    return __int_as_float(min(min(__float_as_int(a), __float_as_int(b)), __float_as_int(c)));
}

__global__ void sweep(const float* __restrict__ series, float* __restrict__ out) {
    const int thread = blockIdx.x * BLOCK + threadIdx.x;
    float query[COLUMNS], first[COLUMNS], second[COLUMNS];
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        query[i] = series[(thread + i) % POINTS];
        first[i] = second[i] = 1e30f;
    }
    for (int row = 0; row < ROWS; row++) {
        const float x = series[(thread + row) % POINTS], y = series[(thread + row + 7) % POINTS];
        float diag_x = row ? 1e30f : 0.0f, diag_y = diag_x, left_x = 1e30f, left_y = 1e30f;
#pragma unroll
        for (int i = 0; i < COLUMNS; i++) {
            const float dx = query[i] - x, dy = query[i] - y, up_x = first[i], up_y = second[i];
            left_x = first[i] = fmaf(dx, dx, least(left_x, up_x, diag_x));
            left_y = second[i] = fmaf(dy, dy, least(left_y, up_y, diag_y));
            diag_x = up_x;
            diag_y = up_y;
        }
    }
    out[thread] = first[COLUMNS - 1] + second[COLUMNS - 1];
}

void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "dtw_cells: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    const int blocks = device.multiProcessorCount * BLOCKS_PER_SM;
    std::vector<float> points(POINTS);
    for (float& x : points) x = std::rand() / float(RAND_MAX);
    float *series, *out;
    check(cudaMalloc(&series, POINTS * sizeof(float)));
    check(cudaMalloc(&out, size_t(blocks) * BLOCK * sizeof(float)));
    check(cudaMemcpy(series, points.data(), POINTS * sizeof(float), cudaMemcpyHostToDevice));
    cudaEvent_t start, end;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int run = 0; run < RUNS + 5; run++) {
        check(cudaEventRecord(start));
        sweep<<<blocks, BLOCK>>>(series, out);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms;
        check(cudaEventElapsedTime(&ms, start, end));
        if (run >= 5) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    const double cells = 2.0 * COLUMNS * ROWS * BLOCK * blocks;
    std::printf("%.6e\n", cells / (times[RUNS / 2] * 1e-3));
}
