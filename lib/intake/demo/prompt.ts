import type { Payload } from "../../session/catalogue.ts";
import type { JsonObject } from "../../session/json.ts";
import type { About } from "./turn.ts";

/** Something that was said, for the history in a prompt. */
export interface Said {
  at: number;
  role: string;
  text: string;
}

const WORDS = {
  ru: {
    now: "Сейчас",
    zone: "Europe/Moscow",
    offset: 3,
    user: "Пользователь",
    history: "История диалога",
    empty: "История диалога пуста",
    roles: { user: "Пользователь", assistant: "Ассистент", operator: "Менеджер" },
  },
  en: {
    now: "Now",
    zone: "Europe/London",
    offset: 0,
    user: "User",
    history: "History",
    empty: "The history is empty",
    roles: { user: "User", assistant: "Assistant", operator: "Manager" },
  },
} as const;

const HOUR = 3_600_000;

/** Writes the prompt that the model was asked with (H1–H3), with an estimate of its tokens (H4). */
export function writePrompt(
  { locale, instruction, user }: About,
  history: readonly Said[],
  at: number,
): Payload<"prompt.rendered"> & JsonObject {
  const words = WORDS[locale];
  const clock = (time: number) => new Date(time + words.offset * HOUR).toISOString().slice(11, 16);
  const roles: Record<string, string> = words.roles;
  const lines = history.map(
    ({ at: said, role, text }) => `[${clock(said)}] ${roles[role] ?? role}: ${text.replaceAll("\n", "\n  ")}`,
  );
  const prompt = [
    instruction,
    `${words.now}: ${new Date(at).toISOString()} (${words.zone}). ${words.user}: ${user ?? "–"}.`,
    `${words.history}:\n${lines.join("\n") || words.empty}`,
  ].join("\n\n");
  const tokens = Math.ceil(Array.from(prompt).length / 4);
  return {
    prompt,
    replaced: ["currentTime", "timezone", "userId", "messageHistory"],
    missing: [],
    history: { total: history.length, shown: history.length, truncated: false },
    tokens,
  };
}
