#!/usr/bin/env python3
"""The constants of gpu_std::math's accurate functions.

Needs mpmath and numpy. Every polynomial is the minimax fit of its function on its interval, by Remez' exchange, under the
weight that makes the error relative to the function's result. Coefficients are rounded to f32; where the interval begins at 0,
one after the other, lowest first, and the rest fitted anew after each. Prints Rust constants and, per polynomial, log2 of the
largest error.
"""

from mpmath import mp, mpf, matrix, lu_solve, log, exp, sin, cos, tanh, erf, erfc, pi, sqrt, floor, nstr, atanh
import numpy as np

mp.dps = 90


def single(value):
    """The nearest f32 (through f64, whose 29 further bits no constant here has as a tie)."""
    return np.float32(float(value))


def remez(target, weight, powers, low, high):
    """Coefficients of sum c[i] x^powers[i] with the smallest max of |weight (target - sum)|, and that maximum."""
    count = len(powers)
    middle, half = (mpf(low) + high) / 2, (mpf(high) - low) / 2
    grid = [middle - half * cos(pi * i / 1199) for i in range(1200)]
    values = [(max(weight(x), mpf(10) ** -14), target(x), [x**p for p in powers]) for x in grid]
    points = [round(i * 1199 / count) for i in range(count + 1)]
    for _ in range(30):
        system, right = matrix(count + 1, count + 1), matrix(count + 1, 1)
        for row, at in enumerate(points):
            w, f, basis = values[at]
            for column in range(count):
                system[row, column] = basis[column]
            system[row, count] = (-1) ** row / w
            right[row] = f
        solved = lu_solve(system, right)
        error = [w * (f - sum(solved[i] * b[i] for i in range(count))) for w, f, b in values]
        new = exchange(error, count + 1)
        if new == points:
            break
        points = new
    return list(solved[:count]), max(abs(e) for e in error)


def exchange(error, count):
    """Places of the largest errors of alternating sign."""
    peaks = []
    for at, e in enumerate(error):
        if peaks and (error[peaks[-1]] > 0) == (e > 0):
            if abs(e) > abs(error[peaks[-1]]):
                peaks[-1] = at
        else:
            peaks.append(at)
    while len(peaks) > count:
        peaks.pop(0 if abs(error[peaks[0]]) < abs(error[peaks[-1]]) else -1)
    if len(peaks) < count:
        raise ArithmeticError("the exchange lost an extremum")
    return peaks


def polynomial(name, target, weight, powers, low, high):
    """Fits, rounds coefficient by coefficient, prints."""
    found, ideal = remez(target, weight, powers, low, high)
    if low < 0:
        # With its lowest terms fixed, what is left alternates in another way where x changes its sign: no refit.
        rounded = [single(c) for c in found]
    else:
        rounded = []
        for at in range(len(powers)):
            def rest(x):
                return target(x) - sum(mpf(float(c)) * x**p for c, p in zip(rounded, powers))

            found, _ = remez(rest, weight, powers[at:], low, high)
            rounded.append(single(found[0]))
    grid = [mpf(low) + (mpf(high) - low) * i / 2000 for i in range(2001)]
    worst = max(abs(weight(x) * (target(x) - sum(mpf(float(c)) * x**p for c, p in zip(rounded, powers)))) for x in grid)
    print(f"// {name}: 2^{nstr(log(worst, 2), 4)} (2^{nstr(log(ideal, 2), 4)} unrounded)")
    print(f"const {name}: [f32; {len(powers)}] = [{', '.join(literal(c) for c in rounded)}];")
    return rounded


def literal(value):
    return np.format_float_scientific(value, unique=True, trim="0", exp_digits=1)


def split(name, value, parts, bits=24):
    """`value` as a sum of f32, the first one with `bits` significant bits."""
    for part in range(parts):
        if part == 0 and bits < 24:
            scale = mpf(2) ** (bits - 1 - floor(log(abs(value), 2)))
            head = single(floor(value * scale + mpf(1) / 2) / scale)
        else:
            head = single(value)
        print(f"const {name}_{part}: f32 = {literal(head)};")
        value -= mpf(float(head))


def words(name, value, first_weight, count):
    """Bits of `value`, the first word's highest of weight 2^first_weight."""
    scaled = int(floor(value * mpf(2) ** (32 * count - 1 - first_weight)))
    found = [(scaled >> (32 * (count - 1 - i))) & 0xFFFFFFFF for i in range(count)]
    print(f"const {name}: [u32; {count}] = [{', '.join(f'0x{w:08x}' for w in found)}];")


def expm1_over(r):
    """(e^r - 1 - r) / r^2."""
    if abs(r) < mpf(10) ** -8:
        return mpf(1) / 2 + r / 6 + r * r / 24
    return (exp(r) - 1 - r) / r**2


def log1p_over(f):
    """(log(1 + f) - f + f^2/2) / f^3."""
    if abs(f) < mpf(10) ** -6:
        return mpf(1) / 3 - f / 4 + f**2 / 5 - f**3 / 6 + f**4 / 7 - f**5 / 8
    return (log(1 + f) - f + f * f / 2) / f**3


def odd_rest(function, third):
    """(function(x) - x) / x^3 in x^2; `third` is its value at 0."""

    def rest(square):
        x = sqrt(square)
        return third if x < mpf(10) ** -7 else (function(x) - x) / x**3

    return rest


def odd_weight(function):
    """The weight of such a rest: x^3 / function(x)."""
    return lambda square: square if square < mpf(10) ** -14 else square * sqrt(square) / function(sqrt(square))


def print_exponential():
    split("LN_2", log(2), 2)
    limit = log(2) / 2 * mpf("1.001")
    polynomial("EXP", expm1_over, lambda r: r * r / exp(r), range(5), -limit, limit)
    limit = mpf("0.625") ** 2
    polynomial("TANH", odd_rest(tanh, -mpf(1) / 3), odd_weight(tanh), range(5), 0, limit)


def print_logarithm():
    split("LN_2_SHORT", log(2), 2, 16)
    split("LOG2_E", 1 / log(2), 2)

    def weight(f):
        return f * f if abs(f) < mpf(10) ** -6 else abs(f**3 / log(1 + f))

    polynomial("LOG", log1p_over, weight, range(8), sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1)


def print_trigonometric():
    split("HALF_PI", pi / 2, 3)
    split("HALF_PI_SCALED", pi / 2 / mpf(2) ** 62, 2)
    words("TWO_OVER_PI", 2 / pi, 31, 7)
    limit = (pi / 4 * mpf("1.001")) ** 2
    polynomial("SIN", odd_rest(sin, -mpf(1) / 6), odd_weight(sin), range(3), 0, limit)

    def cos_rest(square):
        return mpf(1) / 24 if square < mpf(10) ** -10 else (cos(sqrt(square)) - 1 + square / 2) / square**2

    polynomial("COS", cos_rest, lambda square: square**2 / cos(sqrt(square)), range(3), 0, limit)


def print_power():
    """log2((1 + s) / (1 - s)) = s (C1 + C3 s^2 + s^4 p(s^2))."""
    c1, c3 = 2 / log(2), 2 / log(2) / 3
    split("C1", c1, 2)
    split("C3", c3, 2)

    def rest(square):
        s = sqrt(square)
        return c1 / 5 if square < mpf(10) ** -8 else (2 * atanh(s) / log(2) / s - c1 - c3 * square) / square**2

    limit = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * mpf("1.001")
    polynomial("P", rest, lambda square: square**2 / c1, range(4), 0, limit)


def print_error_function():
    def ratio(square):
        return erf(sqrt(square)) / sqrt(square) if square > 0 else 2 / sqrt(pi)

    polynomial("ERF", lambda square: ratio(square) - 1, lambda square: 1 / ratio(square), range(7), 0, 1)
    polynomial("LOG2_ERFC", lambda x: log(erfc(x), 2), lambda x: erfc(x) * log(2), range(7), 1, 4)


def main():
    print_exponential()
    print_logarithm()
    print_trigonometric()
    print_power()
    print_error_function()

main()
