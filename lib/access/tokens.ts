import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** How much of a key is shown, by which people know it again: 30 of its 256 bits. */
const SHOWN_LENGTH = 9;

/** Makes what a browser proves by that somebody is signed in in it. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Makes a key of a program, with all that is kept of it. */
export function newKey(): { key: string; token_hash: string; shown: string } {
  const key = `obl_${newToken()}`;
  return { key, token_hash: tokenHash(key), shown: key.slice(0, SHOWN_LENGTH) };
}

/** By which a token is found again. It has 256 random bits, so that no salt and no slow hash are needed. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
