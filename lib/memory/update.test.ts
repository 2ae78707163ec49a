import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Locale } from "../session/locale.ts";
import { readDocument } from "./document.ts";
import { anyDocument, anyHappening } from "./testing/documents.ts";
import { update } from "./update.ts";

const unknownOf = (value: object) =>
  Object.entries(value).filter(([key]) => key.startsWith("?") || ["__proto__", "toString"].includes(key));

describe("any event", () => {
  const anyLocale = fc.constantFrom<Locale>("en", "ru");

  test("M2: update returns a valid document, and never changes its input", () => {
    fc.assert(
      fc.property(anyDocument, anyHappening, anyLocale, (before, happening, locale) => {
        const texts = [JSON.stringify(before), JSON.stringify(happening)];
        expect(readDocument(update(before, happening, locale))).toMatchObject({ ok: true });
        expect([JSON.stringify(before), JSON.stringify(happening)]).toEqual(texts);
      }),
    );
  });

  test("M2: unknown keys are kept", () => {
    fc.assert(
      fc.property(anyDocument, anyHappening, (before, happening) => {
        const now = update(before, happening, "en");
        expect(unknownOf(now)).toEqual(unknownOf(before));
        expect(unknownOf(now.objects)).toEqual(unknownOf(before.objects));
        expect(now.done.slice(0, before.done.length)).toEqual(before.done);
        for (const [key, confirmation] of Object.entries(before.confirmations)) {
          if (happening.type === "requested" && happening.key === key) continue;
          const kept = Object.entries(now.confirmations).find(([name]) => name === key)?.[1];
          expect(unknownOf(kept ?? {})).toEqual(unknownOf(confirmation));
          expect(unknownOf(kept?.action ?? {})).toEqual(unknownOf(confirmation.action));
        }
      }),
    );
  });
});
