// Colour maps that grow evenly in lightness and can be told apart with any kind of colour vision. Each is a curve in sRGB
// through a few control points, which is smooth enough that no step can be seen. Viridis (van der Walt, Smith 2015),
// cividis (Nuñez, Anderton, Renslow 2018); the map for values of both signs goes from blue through grey to red-brown.

const CONTROL_POINTS = {
  viridis: [[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [109, 205, 89], [180, 222, 44], [253, 231, 37]],
  cividis: [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56]],
  magma: [[0, 0, 4], [28, 16, 68], [79, 18, 123], [129, 37, 129], [181, 54, 122], [229, 80, 100], [251, 135, 97], [254, 194, 135], [252, 253, 191]],
  'blue–red': [[24, 62, 132], [52, 107, 176], [115, 157, 205], [176, 199, 222], [224, 222, 217], [232, 190, 165], [214, 137, 104], [179, 79, 57], [125, 24, 33]],
  greys: [[35, 35, 40], [90, 90, 96], [150, 150, 155], [205, 205, 208], [245, 245, 245]],
};

// Colours of kinds (groups, materials): Okabe and Ito 2008, made a little softer.
export const KIND_COLOURS = [[78, 121, 167], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0], [190, 178, 70], [130, 130, 140]];

export const MAP_NAMES = Object.keys(CONTROL_POINTS);

// The colour at 0 ≤ x ≤ 1, as three bytes: Catmull–Rom through the control points.
export function mapColour(name, x) {
  const points = CONTROL_POINTS[name] ?? CONTROL_POINTS.viridis;
  const s = Math.min(Math.max(x, 0), 1) * (points.length - 1);
  const k = Math.min(Math.floor(s), points.length - 2);
  const t = s - k;
  const at = (i) => points[Math.min(Math.max(i, 0), points.length - 1)];
  const [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
  return [0, 1, 2].map((j) => {
    const v = b[j] + 0.5 * t * (c[j] - a[j] + t * (2 * a[j] - 5 * b[j] + 4 * c[j] - d[j] + t * (3 * (b[j] - c[j]) + d[j] - a[j])));
    return Math.round(Math.min(Math.max(v, 0), 255));
  });
}

// 256 colours for a texture.
export function mapTable(name) {
  const table = new Uint8Array(4 * 256);
  for (let k = 0; k < 256; k++) table.set([...mapColour(name, k / 255), 255], 4 * k);
  return table;
}

export const cssColour = ([r, g, b]) => `rgb(${r} ${g} ${b})`;
