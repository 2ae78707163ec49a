import type { Reader, Type } from "protobufjs";
import {
  type Decoded,
  type DecodedItems,
  decodeGroups,
  MalformedSpans,
  type ResourceGroup,
  type Signal,
  SPANS,
} from "./decode.ts";
import { definitions } from "./definitions.ts";

/** Fields of one request, those of its parts counted: 8,000 spans of twenty attributes have 740,000. Of 2 bytes each, 20 MB have 10 million. */
const MOST_FIELDS = 1_000_000;
/** Fields of one message that is read, or taken apart, in one go: 15 ms. */
const MOST_FIELDS_AT_ONCE = 100_000;
/** A field has a tag and a value. */
const LEAST_BYTES = 2;

/** The wire type of messages, texts and bytes. */
const WITH_LENGTH = 2;

/** Reads a request in protobuf (E15), a span at a time: read as a whole, it would hold everybody up. Throws `MalformedSpans`. */
export async function decodeProtobuf(bytes: Uint8Array): Promise<Decoded> {
  const { items, rejected } = await decodeProtobufOf(SPANS, bytes);
  return { spans: items, rejected };
}

/** Reads a request of any signal in protobuf, an item at a time. Throws `MalformedSpans`. */
export async function decodeProtobufOf<T>(signal: Signal<T>, bytes: Uint8Array): Promise<DecodedItems<T>> {
  const { requests, readerOf } = await definitions();
  const request = new ProtobufRequest(signal, readerOf, bytes.length);
  return decodeGroups(signal, request.groups(new Part(requests[signal.request], bytes)));
}

/** A message that is not read yet. */
class Part {
  readonly type: Type;
  readonly bytes: Uint8Array;

  constructor(type: Type, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }
}

class ProtobufRequest {
  readonly #signal: Signal<unknown>;
  readonly #readerOf: (bytes: Uint8Array) => Reader;
  readonly #isShort: boolean;
  #left = MOST_FIELDS;

  constructor(signal: Signal<unknown>, readerOf: (bytes: Uint8Array) => Reader, length: number) {
    this.#signal = signal;
    this.#readerOf = readerOf;
    this.#isShort = length <= MOST_FIELDS * LEAST_BYTES;
  }

  *groups(request: Part): Generator<ResourceGroup> {
    for (const group of this.#partsOf(request)(this.#signal.resources)) {
      const parts = this.#partsOf(group);
      yield { resource: this.#lastOf(parts("resource")), scopes: this.#scopes(parts) };
    }
  }

  *#scopes(parts: (name: string) => Part[]): Generator<{ scope: unknown; items: Iterable<unknown> }> {
    for (const [name, scopeName] of this.#signal.scopes) {
      for (const part of parts(name)) {
        const within = this.#partsOf(part);
        yield { scope: this.#lastOf(within(scopeName)), items: this.#items(within(this.#signal.items)) };
      }
    }
  }

  *#items(parts: readonly Part[]): Generator<unknown> {
    for (const part of parts) yield this.#read(part);
  }

  #lastOf(parts: readonly Part[]): unknown {
    const last = parts.at(-1);
    return last && this.#read(last);
  }

  /** The messages within one, by the names of their fields. */
  #partsOf({ type, bytes }: Part): (name: string) => Part[] {
    const found = new Map<number, Part[]>();
    reading(this.#signal, () => {
      const reader = this.#readerOf(bytes);
      for (let count = 1; reader.pos < reader.len; count += 1) {
        this.#count(count);
        const tag = reader.uint32();
        const within = (tag & 7) === WITH_LENGTH ? typeWithin(type, tag >>> 3) : null;
        if (!within) {
          reader.skipType(tag & 7);
          continue;
        }
        const parts = found.get(tag >>> 3);
        const part = new Part(within, reader.bytes());
        if (parts) parts.push(part);
        else found.set(tag >>> 3, [part]);
      }
    });
    return (name) => found.get(type.fields[name]?.id ?? -1) ?? [];
  }

  #read({ type, bytes }: Part): unknown {
    return reading(this.#signal, () => {
      // What is short enough cannot have too many.
      if (!this.#isShort || bytes.length > MOST_FIELDS_AT_ONCE * LEAST_BYTES) this.#weigh(type, bytes);
      return type.decode(bytes);
    });
  }

  /** Counts the fields of a message and of those within it, in one pass that makes nothing of them. */
  #weigh(type: Type, bytes: Uint8Array): void {
    const reader = this.#readerOf(bytes);
    const open = [{ type, end: reader.len }];
    for (let count = 1; reader.pos < reader.len; count += 1) {
      this.#count(count);
      let top = open.at(-1);
      while (top && top.end <= reader.pos) {
        open.pop();
        top = open.at(-1);
      }
      const tag = reader.uint32();
      const within = top && (tag & 7) === WITH_LENGTH ? typeWithin(top.type, tag >>> 3) : null;
      if (within) open.push({ type: within, end: reader.uint32() + reader.pos });
      else reader.skipType(tag & 7);
    }
  }

  /** Counts a field; `atOnce` is how many the message that is taken apart has by now. */
  #count(atOnce: number): void {
    if (atOnce > MOST_FIELDS_AT_ONCE) throw tooManyFields(this.#signal, "A part of the request", MOST_FIELDS_AT_ONCE);
    this.#left -= 1;
    if (this.#left < 0) throw tooManyFields(this.#signal, "The request", MOST_FIELDS);
  }
}

function tooManyFields({ item }: Signal<unknown>, what: string, most: number): MalformedSpans {
  return new MalformedSpans(
    `${what} has more than ${most} fields; send fewer ${item}s in a request, with fewer attributes`,
    {
      tooLarge: true,
    },
  );
}

/** The type of the messages in a field; null where it has none. */
function typeWithin(type: Type, id: number): Type | null {
  const within = type.fieldsById[id]?.resolvedType;
  return within && "fieldsById" in within ? within : null;
}

function reading<T>({ request }: Signal<unknown>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedSpans) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MalformedSpans(
      `The body is not a protobuf ${request} (${reason}); send what an OTLP exporter makes, whole`,
      { cause: error },
    );
  }
}
