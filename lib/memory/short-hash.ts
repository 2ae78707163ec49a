import { isJsonObject, type Json } from "../session/json/json.ts";

/**
 * A short hash of a value, independent of the order of its keys: 53 bits in 11 letters and digits. Not cryptographic.
 */
export function shortHash(value: Json): string {
  return hash53(canonical(value)).toString(36).padStart(11, "0");
}

/** A canonical text of a value. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(",")}}`;
}

/** cyrb53 (public domain): two mixed 32-bit hashes; this module must not use `crypto`. */
function hash53(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 2 ** 32 * (low & 0x1fffff) + (high >>> 0);
}
