import { startResponsesServer } from "../../../lib/model/testing/responses-server.ts";
import { isJsonObject, type JsonObject } from "../../../lib/session/json/json.ts";
import { createWaiting } from "./waiting.ts";

/** A response that the test streams step by step. */
export interface HeldAnswer {
  text: string;
  /** Streams the response up to these words. */
  upTo(words: string): void;
  /** Streams the rest. */
  finish(): void;
  /** Blocks further responses before their first character. */
  hold(): void;
}

/** A model with given responses to messages that contain a word. */
export interface HeldModel {
  baseUrl: string;
  /**
   * The next response to messages with this word, blocked before its first character; `delta` is the number of
   * characters per event.
   */
  answer(word: string, text: string, delta?: number): HeldAnswer;
  /** How many requests it got for the response to messages with this word. */
  asked(word: string): number;
  close(): Promise<void>;
}

export async function startHeldModel(): Promise<HeldModel> {
  const { waitFor, look } = createWaiting();
  const answers = new Map<string, { text: string; delta: number; allowed: number }>();
  const counts = new Map<string, number>();
  const { baseUrl, close } = await startResponsesServer((body) => {
    const asked = askedIn(body);
    const [word = "", held] = [...answers].findLast(([each]) => asked.includes(each)) ?? [];
    counts.set(word, (counts.get(word) ?? 0) + 1);
    if (!held) return { items: [{ text: "I know nothing of that." }] };
    const { text, delta } = held;
    let sent = 0;
    const before = async (type: string) => {
      if (type === "response.output_text.delta") sent += delta;
      if (type === "response.output_text.done") sent = Number.POSITIVE_INFINITY;
      await waitFor(() => (sent <= held.allowed ? true : undefined));
    };
    return { items: [{ text }], delta, before };
  });
  return {
    baseUrl,
    close,
    asked: (word) => counts.get(word) ?? 0,
    answer(word, text, delta = 1) {
      const held = { text, delta, allowed: 0 };
      answers.set(word, held);
      const allow = (characters: number) => {
        held.allowed = characters;
        look();
      };
      return {
        text,
        upTo: (words) => allow([...text.slice(0, text.indexOf(words) + words.length)].length),
        finish: () => allow(Number.POSITIVE_INFINITY),
        hold: () => allow(0),
      };
    },
  };
}

/** The user's last message. */
function askedIn({ input }: JsonObject): string {
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [];
  return String(items.findLast(({ role, content }) => role === "user" && !String(content).startsWith("{"))?.content);
}
