import { describe, expect, it } from "vitest";
import { LOCALES } from "../session/locale.ts";
import { apology, speech } from "./speech.ts";

/** Codes of failed turns that are not caused by the operator's data. */
const CODES = ["model_failed", "no_model", "iteration_limit", "budget_spent", "dialog_failed"];
const REASON = "No connection to the model at 10.0.0.3:8080; check OBELUS_MODEL_BASE_URL";

describe("D4: the server's own messages to users", () => {
  it.each(CODES)("of %s is in the user's language, and nothing of what is the operator's", (code) => {
    const [en, ru] = LOCALES.map((locale) => speech.failed({ code, message: REASON }, locale));
    expect(en).toMatch(/^I could not finish this\. [^а-я]+\.$/i);
    expect(ru).toMatch(/^Не получилось довести это до конца\. [^a-z]+\.$/i);
  });

  it("M13: include the reason if only an operator can help", () => {
    const failure = { code: "unreadable_memory", message: "The memory cannot be read; mend it" };
    expect(speech.failed(failure, "ru")).toBe(
      "Не получилось довести это до конца. The memory cannot be read; mend it.",
    );
  });

  it("are in both languages", () => {
    const sentences = LOCALES.map((locale) => [
      ...[speech.silent(locale), speech.cancelled(locale), speech.escalated(locale), apology(locale)],
      ...[speech.waiting([], locale), speech.planned([], locale)],
    ]);
    for (const [index, isOf] of [/^[^а-я]+$/i, /^[^a-z]+$/i].entries())
      for (const sentence of sentences[index] ?? []) expect(sentence).toMatch(isOf);
  });
});
