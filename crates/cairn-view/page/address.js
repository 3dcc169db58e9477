// The settings of a view, and how they are written into the address, so that a view can be shared.

export const DEFAULTS = {
  t: null, field: 'group', map: 'auto', log: false, low: null, high: null,
  mag: 1, edges: true, marks: null, bodies: 'solid', hide: [], hideBodies: [],
  chains: false, split: 'all', width: 1, see: 0.85,
  contacts: false, colourContacts: 'status', statuses: [], normals: false, size: 1, openings: 1,
  clip: 'none', at: 0.5, flip: false,
  camera: null, perspective: true, theme: 'auto', panel: true, plots: true, columns: null, speed: null, picked: -1,
};

export function readAddress() {
  const settings = structuredClone(DEFAULTS);
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!(key in DEFAULTS)) continue;
    try {
      const value = JSON.parse(text);
      const kind = DEFAULTS[key];
      if (key === 'speed' ? Number.isFinite(value) && value > 0 : kind === null || (Array.isArray(kind) ? Array.isArray(value) : typeof value === typeof kind)) settings[key] = value;
    } catch { /* a part of an address that means nothing is passed over */ }
  }
  return settings;
}

export function writeAddress(settings) {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(settings)) {
    const text = JSON.stringify(value);
    if (key in DEFAULTS && text !== JSON.stringify(DEFAULTS[key])) parts.set(key, text);
  }
  const hash = parts.toString();
  try {
    history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
  } catch { /* a frame without an address of its own, as in a notebook, has nothing to write to */ }
}
