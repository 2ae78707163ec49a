/** An error in an AG-UI stream, and its place. Earlier events were recorded. */
export class AgUiFault extends Error {
  /** The line of the body, or the index in an array, from 1; null for the stream as a whole. */
  readonly place: number | null;
  /** JSON Pointer into that event. */
  readonly path: string;
  readonly tooLarge: boolean;
  /** Another request has taken over the run. */
  readonly taken: boolean;

  constructor(
    message: string,
    {
      place = null,
      path = "",
      tooLarge = false,
      taken = false,
    }: Partial<Pick<AgUiFault, "place" | "path" | "tooLarge" | "taken">> = {},
  ) {
    super(place === null ? message : `Line ${place}: ${message}`);
    this.name = "AgUiFault";
    this.place = place;
    this.path = path;
    this.tooLarge = tooLarge;
    this.taken = taken;
  }
}
