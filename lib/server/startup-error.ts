/** The server cannot start, for a reason that the operator can fix: shown without a stack. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}

/** The code of an error of the operating system or storage; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
