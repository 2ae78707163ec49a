import { describe, expect, it } from "vitest";
import { chooseLocale } from "./locales.ts";

describe("C: the console's language", () => {
  it("prefers the reader's choice to the browser's languages", () => {
    expect(chooseLocale("ru", "en-US,en;q=0.9")).toBe("ru");
  });

  it("takes the browser's first supported language", () => {
    expect(chooseLocale(undefined, "de-DE,de;q=0.9,ru-RU;q=0.8,en;q=0.7")).toBe("ru");
  });

  it("falls back to English, also for an invalid cookie", () => {
    expect(chooseLocale(undefined, null)).toBe("en");
    expect(chooseLocale("tlh", "de")).toBe("en");
  });
});
