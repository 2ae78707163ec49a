import { describe, expect, it } from "vitest";
import { chooseLocale } from "./locales.ts";

describe("C: the console speaks the reader's language", () => {
  it("takes what the reader chose over what the browser asks for", () => {
    expect(chooseLocale("ru", "en-US,en;q=0.9")).toBe("ru");
  });

  it("takes the first language of the browser that it speaks", () => {
    expect(chooseLocale(undefined, "de-DE,de;q=0.9,ru-RU;q=0.8,en;q=0.7")).toBe("ru");
  });

  it("falls back to English, also where the cookie is not a language it speaks", () => {
    expect(chooseLocale(undefined, null)).toBe("en");
    expect(chooseLocale("tlh", "de")).toBe("en");
  });
});
