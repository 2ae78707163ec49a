// Rules for names and passwords. Pure: forms in the browser apply them, too.

/** The length of a password, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}._@+ -]{0,62}[\p{L}\p{N}])?$/u;

/** Actors of the audit log that users cannot be named: those without authentication, and commands. */
const RESERVED = ["console", "command-line"];

/** A name for comparisons: equal for names that look the same. */
export function foldedName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** Why a name of a user or a key is invalid; null if it is valid. */
export function nameFault(name: string): string | null {
  if (!NAME.test(name))
    return "must have 1 to 64 letters, digits, spaces and . _ @ + -, and start and end with a letter or digit";
  return RESERVED.includes(foldedName(name)) ? `must not be ${name}, which the audit log uses for someone else` : null;
}

/** Why a password is invalid; null if it is valid. */
export function passwordFault(password: string): string | null {
  const { min, max } = PASSWORD_LENGTH;
  return password.length < min || password.length > max ? `must have ${min} to ${max} characters` : null;
}
