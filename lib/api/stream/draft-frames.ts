import type { LiveDraft, LiveDrafts } from "../../server/drafts.ts";

/** What one reader of a stream is sent of the answers that are coming. It holds how far each was sent, and no text. */
export class DraftFrames {
  readonly #drafts: Pick<LiveDrafts, "list">;
  readonly #conversationId: string | undefined;
  readonly #sent = new WeakMap<LiveDraft, number>();

  constructor(drafts: Pick<LiveDrafts, "list">, conversationId: string | undefined) {
    this.#drafts = drafts;
    this.#conversationId = conversationId;
  }

  /**
   * What has come since, for a reader that has the log up to `position`. A draft waits until the reader has the request
   * that it answers, and has ended before the log tells what came of that: so it always stands between the two.
   */
  next(position: number): Uint8Array[] {
    const frames: Uint8Array[] = [];
    for (const draft of this.#drafts.list()) {
      const { conversation_id, run_id, agent_id, text, since } = draft;
      if (since > position) continue;
      if (this.#conversationId !== undefined && conversation_id !== this.#conversationId) continue;
      const offset = this.#sent.get(draft) ?? 0;
      const end = wholeLength(text);
      if (end <= offset) continue;
      this.#sent.set(draft, end);
      const data = { conversation_id, run_id, agent_id, offset, text: text.slice(offset, end) };
      frames.push(Buffer.from(`event: message.draft\ndata: ${JSON.stringify(data)}\n\n`));
    }
    return frames;
  }
}

/** Without half of a character at the end: its other half is in the next piece. */
function wholeLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
