// Where data come from: the server that sent this page, or the file that the page is in.

import { readBundle } from './bundle.js';

const embedded = (name) => document.getElementById(`cairn-${name}`);

function fromBase64(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return bytes.buffer;
}

async function bytesOf(name) {
  if (isExport()) {
    const element = embedded(name.replace('/', '-'));
    if (!element) throw new Error(`this file does not hold ${name.replace('/', ' ')}`);
    return fromBase64(element.textContent);
  }
  const answer = await fetch(`api/${name}`);
  if (!answer.ok) throw new Error((await answer.text()).trim() || `the server answered ${answer.status}`);
  return answer.arrayBuffer();
}

export const isExport = () => embedded('model') !== null;
export const hasContacts = () => !isExport() || embedded('contacts-0') !== null;
export const fetchTimeline = async () => JSON.parse(new TextDecoder().decode(await bytesOf('times')));
export const fetchBundle = async (name) => readBundle(await bytesOf(name));

// Keeps the states that were used last, up to a number of bytes, and asks for each only once.
export class StateCache {
  constructor(kind, capacity = 4e8) {
    Object.assign(this, { kind, capacity, held: new Map(), bytes: 0 });
  }

  get(k) {
    let promise = this.held.get(k);
    if (promise) {
      this.held.delete(k);
    } else {
      promise = fetchBundle(`${this.kind}/${k}`);
      promise.then((b) => this.grow(b), () => this.held.delete(k));
    }
    this.held.set(k, promise);
    return promise;
  }

  grow(bundle) {
    bundle.bytes = Object.values(bundle.arrays).reduce((sum, a) => sum + a.byteLength, 0);
    this.bytes += bundle.bytes;
    for (const [k, promise] of this.held) {
      if (this.bytes <= this.capacity || this.held.size <= 2) break;
      this.held.delete(k);
      promise.then((b) => { this.bytes -= b.bytes; }, () => {});
    }
  }

  clear() {
    this.held.clear();
    this.bytes = 0;
  }
}
