import { describe, expect, it } from "vitest";
import type { Command } from "./command.ts";
import { rankCommands } from "./rank.ts";

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  group: "calls",
  icon: "right",
  label,
  run: () => undefined,
  ...more,
});
const ranked = (commands: Command[], typed: string) =>
  rankCommands(commands, typed).map(({ group, commands: found }) => [group, found.map(({ label }) => label)]);

describe("C: the palette's commands", () => {
  it("contain all typed words, in any case and order, also in hidden terms", () => {
    const commands = [
      command("crm.deal.get", { detail: "refund" }),
      command("crm.deal.update"),
      command("Тёмная тема", { group: "settings", words: "theme dark" }),
    ];
    expect(ranked(commands, "GET deal")).toEqual([["calls", ["crm.deal.get"]]]);
    expect(ranked(commands, "refund")).toEqual([["calls", ["crm.deal.get"]]]);
    expect(ranked(commands, "dark")).toEqual([["settings", ["Тёмная тема"]]]);
    expect(ranked(commands, "тём тема")).toEqual([["settings", ["Тёмная тема"]]]);
    expect(ranked(commands, "deal absent")).toEqual([]);
  });

  it("are sorted by match: names that start with the words, then words that do, then any position", () => {
    const commands = [command("undeal"), command("crm.deal.get"), command("deal"), command("other")];
    expect(ranked(commands, "deal")).toEqual([["calls", ["deal", "crm.deal.get", "undeal"]]]);
  });

  it("keep their order without input, and no group hides the others", () => {
    const many = Array.from({ length: 500 }, (_, index) => command(`call ${index}`));
    const groups = ranked([...many, command("Approvals", { group: "pages" })], "");
    expect(groups).toEqual([
      ["calls", many.slice(0, 6).map(({ label }) => label)],
      ["pages", ["Approvals"]],
    ]);
  });

  it("include every page", () => {
    const pages = Array.from({ length: 9 }, (_, index) => command(`Page ${index}`, { group: "pages" }));
    expect(ranked(pages, "")).toEqual([["pages", pages.map(({ label }) => label)]]);
  });

  it("are sorted by the best match of their group; server results come after matching names", () => {
    const commands = [
      command("redeal"),
      command("Roof", { group: "conversations" }),
      command("Deals", { group: "pages" }),
    ];
    expect(ranked(commands, "deal").map(([group]) => group)).toEqual(["pages", "calls", "conversations"]);
  });

  it("include theme and language only when typed", () => {
    expect(ranked([command("Theme: dark", { group: "settings" })], "")).toEqual([]);
  });

  it("include every conversation found by the server, whatever its name", () => {
    expect(ranked([command("Roof", { group: "conversations" })], "barn")).toEqual([["conversations", ["Roof"]]]);
  });
});
