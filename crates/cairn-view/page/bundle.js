// Reads a bundle: a JSON header and typed arrays over the bytes that follow it (see src/bundle.rs).

const ARRAY_TYPES = { f32: Float32Array, f64: Float64Array, u32: Uint32Array, u8: Uint8Array };

export function readBundle(buffer) {
  const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, 8));
  if (magic !== 'CAIRNVW1') throw new Error('these data are of another version than this page');
  const length = new DataView(buffer).getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, length)));
  const arrays = {};
  for (const [name, a] of Object.entries(header.arrays)) {
    arrays[name] = new ARRAY_TYPES[a.type](buffer, 12 + length + a.at, a.count);
  }
  return { header, arrays };
}
