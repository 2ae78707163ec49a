/** An error in an imported file. Nothing of the file is kept. */
export class ImportError extends Error {
  /** The line of the file from 1; null in a single document if it is unknown. */
  readonly line: number | null;
  /** JSON Pointer into the line's value, or into the document; "" is the whole. */
  readonly path: string;
  /** A size limit is exceeded. */
  readonly tooLarge: boolean;

  constructor(message: string, place: { line: number | null; path?: string; tooLarge?: boolean }) {
    super(place.line === null ? message.charAt(0).toUpperCase() + message.slice(1) : `Line ${place.line}: ${message}`);
    this.name = "ImportError";
    this.line = place.line;
    this.path = place.path ?? "";
    this.tooLarge = place.tooLarge ?? false;
  }
}
