import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** The length of the shown prefix of a key, by which people recognize it: 30 of its 256 bits. */
const SHOWN_LENGTH = 9;

/** Creates the token of a sign-in. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Creates an API key, and what is stored of it. */
export function newKey(): { key: string; token_hash: string; shown: string } {
  const key = `obl_${newToken()}`;
  return { key, token_hash: tokenHash(key), shown: key.slice(0, SHOWN_LENGTH) };
}

/** The hash by which a token is looked up. Tokens have 256 random bits, so neither salt nor a slow hash is needed. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
