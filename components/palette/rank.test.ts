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
  it("have all of the typed words, in any case and order, also where the name does not show them", () => {
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

  it("stand with the best first: a name that begins so, then a word that begins so, then any place", () => {
    const commands = [command("undeal"), command("crm.deal.get"), command("deal"), command("other")];
    expect(ranked(commands, "deal")).toEqual([["calls", ["deal", "crm.deal.get", "undeal"]]]);
  });

  it("stay in their order where nothing is typed, and no group pushes the others out of sight", () => {
    const many = Array.from({ length: 500 }, (_, index) => command(`call ${index}`));
    const groups = ranked([...many, command("Approvals", { group: "pages" })], "");
    expect(groups).toEqual([
      ["calls", many.slice(0, 6).map(({ label }) => label)],
      ["pages", ["Approvals"]],
    ]);
  });

  it("leave no page out", () => {
    const pages = Array.from({ length: 9 }, (_, index) => command(`Page ${index}`, { group: "pages" }));
    expect(ranked(pages, "")).toEqual([["pages", pages.map(({ label }) => label)]]);
  });

  it("stand with the best group first; what the server found comes after what is called so", () => {
    const commands = [
      command("redeal"),
      command("Roof", { group: "conversations" }),
      command("Deals", { group: "pages" }),
    ];
    expect(ranked(commands, "deal").map(([group]) => group)).toEqual(["pages", "calls", "conversations"]);
  });

  it("leave theme and language to who types them", () => {
    expect(ranked([command("Theme: dark", { group: "settings" })], "")).toEqual([]);
  });

  it("show every conversation that the server has found, whatever its name is", () => {
    expect(ranked([command("Roof", { group: "conversations" })], "barn")).toEqual([["conversations", ["Roof"]]]);
  });
});
