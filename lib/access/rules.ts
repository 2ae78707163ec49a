// What names and passwords may be. Pure: forms in the browser tell the same before they send.

/** How long a password is, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}._@+ -]{0,62}[\p{L}\p{N}])?$/u;

/** Actors of the audit that are nobody's names: whoever acts where nobody signs in, and at the terminal. */
const RESERVED = ["console", "command-line"];

/** A name as it is compared: the same for all that people take for the same. */
export function foldedName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** Why a user or a key cannot be named so; null where it can. */
export function nameFault(name: string): string | null {
  if (!NAME.test(name))
    return "must have 1 to 64 letters, digits, spaces and . _ @ + -, and start and end with a letter or digit";
  return RESERVED.includes(foldedName(name)) ? `must not be ${name}, which the audit log uses for someone else` : null;
}

/** Why this cannot be a password; null where it can. */
export function passwordFault(password: string): string | null {
  const { min, max } = PASSWORD_LENGTH;
  return password.length < min || password.length > max ? `must have ${min} to ${max} characters` : null;
}
