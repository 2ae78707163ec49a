/**
 * A request as handlers of routes take it: what they use of the web's `Request`, which Next gives them. The server's front
 * makes it of Node's own, because a whole `Request` takes longer to make than an event to check.
 */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiHeaders;
  readonly body: ApiBody | null;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

export type ApiHeaders = Pick<Headers, "get" | "has"> & Iterable<[name: string, value: string]>;

/** The bytes of a body, as they come. */
interface ApiBody {
  /** Somebody reads it. */
  readonly locked: boolean;
  /** Whoever stops early with `preventCancel` leaves the rest to be read. */
  values(options?: { preventCancel?: boolean }): AsyncIterable<Uint8Array>;
}
