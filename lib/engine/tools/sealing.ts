import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { isSealed, SEALED_PREFIX } from "./sealed-text.ts";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps secrets out of the log, which everybody who may read events can read: what stands there is sealed with a key
 * that does not. A sealed text opens only at the place it was sealed for, so that copying it elsewhere gains nothing.
 */
export interface Sealing {
  /** A text that may stand anywhere; the same text is sealed differently each time. */
  seal(text: string, place: string): string;
  /** The text that was sealed for this place; null when this was not, or not with this key. */
  open(sealed: string, place: string): string | null;
}

/** Seals with a key of 32 bytes (AES-256-GCM). */
export function createSealing(key: Uint8Array): Sealing {
  return {
    seal(text, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
      const bytes = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return SEALED_PREFIX + bytes.toString("base64url");
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.slice(SEALED_PREFIX.length), "base64url");
      if (!isSealed(sealed) || bytes.length < IV_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8");
        return text + decipher.final("utf8");
      } catch {
        // The one thing that fails here is the tag: sealed with another key, or for another place.
        return null;
      }
    },
  };
}
