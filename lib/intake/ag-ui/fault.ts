/** What is wrong with an AG-UI stream, and where. What came before is told. */
export class AgUiFault extends Error {
  /** The line of the body, or the place in an array, from 1; null where it is the stream as a whole. */
  readonly place: number | null;
  /** JSON Pointer into that event. */
  readonly path: string;
  readonly tooLarge: boolean;
  /** Another request has taken the run over. */
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
