import { AgUiFault } from "./fault.ts";

/** A text that is streamed in pieces. */
export interface OpenPart {
  kind: "message" | "call" | "reasoning";
  id: string;
  /** The role of a message. */
  role: "developer" | "system" | "assistant" | "user";
  /** The author, or the tool. */
  name: string | null;
  subagentRunId: string | undefined;
  metadata: Record<string, unknown> | undefined;
  text: string[];
  /** It is streamed as chunks, which have no end event. */
  chunked: boolean;
}

/** The maximum total length and number of a run's open texts. */
const MOST_CHARACTERS = 5 * 1024 * 1024;
const MOST_PARTS = 1_000;

/** The open texts of a run. Bounded, since an agent may send pieces without end. */
export class OpenParts {
  private readonly parts = new Map<string, OpenPart>();
  private characters = 0;

  /** In the order in which they started. */
  list(): OpenPart[] {
    return [...this.parts.values()];
  }

  find(kind: OpenPart["kind"], id: string): OpenPart | undefined {
    return this.parts.get(keyOf(kind, id));
  }

  /** The open chunked one of a kind. */
  chunk(kind: OpenPart["kind"]): OpenPart | undefined {
    return this.list().findLast((part) => part.kind === kind && part.chunked);
  }

  begin(part: Omit<OpenPart, "text">, place: number): OpenPart {
    if (this.parts.has(keyOf(part.kind, part.id)))
      throw new AgUiFault(`the ${part.kind} ${part.id} has already started and not ended`, { place });
    if (this.parts.size >= MOST_PARTS)
      throw new AgUiFault(`more than ${MOST_PARTS} texts are open; end some first`, { place, tooLarge: true });
    const begun: OpenPart = { ...part, text: [] };
    this.parts.set(keyOf(part.kind, part.id), begun);
    return begun;
  }

  add(part: OpenPart, delta: string, place: number): void {
    this.characters += delta.length;
    if (this.characters > MOST_CHARACTERS)
      throw new AgUiFault(`the ${part.kind} ${part.id} and the other open parts exceed 5 MB`, {
        place,
        tooLarge: true,
      });
    part.text.push(delta);
  }

  /** The one that an event names. Throws `AgUiFault` if it has not started. */
  expect(kind: OpenPart["kind"], id: string, type: string, place: number): OpenPart {
    const part = this.find(kind, id);
    if (part) return part;
    throw new AgUiFault(
      `${type}: the ${kind} ${id} has not started, or its start has expired; send the run again from RUN_STARTED (nothing is duplicated)`,
      { place },
    );
  }

  end(part: OpenPart): void {
    this.parts.delete(keyOf(part.kind, part.id));
    for (const piece of part.text) this.characters -= piece.length;
  }
}

function keyOf(kind: string, id: string): string {
  return `${kind}:${id}`;
}
