/**
 * A UUID version 7: consecutive ids are adjacent in an index. Not `crypto.randomUUID`, which is missing on pages
 * without HTTPS.
 */
export function newId(): string {
  const bytes = randomBytes(16);
  const view = new DataView(bytes.buffer);
  const now = Date.now();
  view.setUint32(0, Math.floor(now / 0x1_0000));
  view.setUint16(4, now % 0x1_0000);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count);
  // Node 18 has no such global. The ids need to be unique, not secret.
  return "crypto" in globalThis ? crypto.getRandomValues(bytes) : bytes.map(() => Math.random() * 256);
}
