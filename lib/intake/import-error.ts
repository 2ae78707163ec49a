/** Why a file could not be imported: a mistake in what was sent, not here. Nothing of the file is kept. */
export class ImportError extends Error {
  /** Line of the file from 1; null where the file is one document and the place is not known. */
  readonly line: number | null;
  /** JSON Pointer into that line's value, or into the document; "" is the whole of it. */
  readonly path: string;
  /** The file or a part of it is over its limit. */
  readonly tooLarge: boolean;

  constructor(message: string, place: { line: number | null; path?: string; tooLarge?: boolean }) {
    super(place.line === null ? message.charAt(0).toUpperCase() + message.slice(1) : `Line ${place.line}: ${message}`);
    this.name = "ImportError";
    this.line = place.line;
    this.path = place.path ?? "";
    this.tooLarge = place.tooLarge ?? false;
  }
}
