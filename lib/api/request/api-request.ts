import type { Requester } from "../../access/caller.ts";

/**
 * The part of the web's `Request` that handlers use. Next passes a `Request`; the HTTP front creates this from Node's
 * request, because creating a `Request` takes longer than validating an event.
 */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiHeaders;
  readonly body: ApiBody | null;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ApiHeaders extends Pick<Headers, "get" | "has">, Iterable<[name: string, value: string]> {
  /** The caller, where the front has passed it as it is. */
  readonly requester?: Requester;
}

/** The chunks of a body. */
interface ApiBody {
  /** It is being read. */
  readonly locked: boolean;
  /** Takes the whole body if it came with the headers; null if it is still to be read. */
  arrived?(): Promise<Uint8Array | null>;
  /** A reader that stops early with `preventCancel` leaves the rest. */
  values(options?: { preventCancel?: boolean }): AsyncIterable<Uint8Array>;
}
