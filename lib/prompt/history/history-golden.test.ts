import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LOCALES } from "../../session/locale.ts";
import { DIALOGS } from "../testing/dialogs.ts";
import { charactersOf } from "../tokens.ts";
import { fitHistory, printHistory } from "./history.ts";

const MAX_TOKENS = 250;

describe.each(LOCALES)("in %s", (locale) => {
  test.each(["empty", "short", "long"] as const)("H3: a history that is %s, to the letter", async (length) => {
    const limits = { max_tokens: MAX_TOKENS, max_chars: null, max_messages: null };
    const fitted = fitHistory(DIALOGS[length], { limits, timezone: "Europe/Moscow", locale, state_calls: ["c1"] });
    const { text } = printHistory(fitted);
    expect(charactersOf(text)).toBeLessThanOrEqual(4 * MAX_TOKENS);
    expect(fitted.report.truncated).toBe(length === "long");
    const golden = fileURLToPath(new URL(`testing/history-${length}.${locale}.txt`, import.meta.url));
    await expect(`${text}\n`).toMatchFileSnapshot(golden);
  });
});
