// Numbers as people read them.

// Sizes from `plainFrom` to 10⁵ are written without a power of ten.
export function formatNumber(x, digits = 3, plainFrom = 1e-3) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x === 0) return '0';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  const size = Math.abs(x);
  if (size >= plainFrom && size < 1e5) {
    const text = x.toPrecision(digits);
    const plain = text.includes('e') ? Number(text).toString() : text;
    return (plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain).replace('-', '−');
  }
  const [mantissa, exponent] = x.toExponential(digits - 1).split('e');
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  const raised = [...String(Number(exponent))].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] ?? '⁻').join('');
  return `${short}·10${raised}`.replace('-', '−');
}

export const withUnit = (x, unit, digits) => formatNumber(x, digits) + (unit && unit !== '-' ? ` ${unit}` : '');

// Ticks of an axis, all in one way: not 5·10⁻⁴ next to 0.001.
export function formatTicks(ticks, digits) {
  const largest = Math.max(...ticks.map(Math.abs));
  return ticks.map((t) => formatNumber(Math.abs(t) < 1e-9 * largest ? 0 : t, digits, largest >= 1e-3 ? 1e-3 * largest : 1e-3));
}

// About `count` round values between two ends.
export function niceTicks(low, high, count) {
  if (!(high > low)) return [low];
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= raw * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return ticks;
}
