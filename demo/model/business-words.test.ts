import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBusiness } from "./business-words.ts";

describe("D4: a kind of business in its base form", () => {
  it.each([
    ["цветочного магазина", "цветочный магазин"],
    ["моей кофейни", "кофейня"],
    ["небольшой домашней пекарни", "домашняя пекарня"],
    ["детского центра", "детский центр"],
    ["студии йоги", "студия йоги"],
    ["автошколу", "автошкола"],
    ["музея", "музей"],
    ["рекламным агентством", "рекламное агентство"],
    ["парикмахерской", "парикмахерская"],
    ["фитнес-клуба и хочу посмотреть", "фитнес-клуб"],
    ["пекарня под названием", "пекарня"],
    ["стоматология", "стоматология"],
    ["сети отелей", "сети отелей"],
    ["my bakery", "bakery"],
    ["a small dental clinic please", "dental clinic"],
    ["an online shop and I want to see it", "online shop"],
  ])("%s", (said, business) => {
    expect(readBusiness(said)).toBe(business);
  });

  it.each([
    "другого бизнеса",
    "вопрос",
    "another business",
    "my company",
    "us",
    "не знаю",
    "хочу посмотреть",
    "12",
    "",
  ])("%s is none", (said) => {
    expect(readBusiness(said)).toBeNull();
  });

  it("any input terminates, with an output no longer than the input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (said) => {
        expect((readBusiness(said) ?? "").length).toBeLessThanOrEqual(said.length + 3);
      }),
    );
  });
});
