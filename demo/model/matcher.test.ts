import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { Chains } from "./chains.ts";
import { reply } from "./matcher.ts";
import { compilePhrase } from "./phrases.ts";
import type { Script } from "./script.ts";
import { readTurn } from "./turn.ts";

const NOW = new Date("2026-04-10T12:00:00");

/** A script of another domain: the matcher is generic. */
const SCRIPT: Script = {
  scenarios: [
    {
      name: "call a manager",
      agent: /administrator/,
      phrases: { en: ["call [a] manager"], ru: ["позови менеджера"] },
      example: { en: "call a manager", ru: "позови менеджера" },
      wish: { en: "call a manager", ru: "позвать менеджера" },
      steps: [
        [{ tool: "dialog.call/manager", as: "call", params: { why: "asked", urgent: true, note: "{memory.note}" } }],
      ],
      say: { en: ["{call.name} will[?, in {call.minutes|number} minutes,] answer."], ru: ["Ответит {call.name}."] },
    },
    {
      name: "prices",
      phrases: { en: ["prices", "price of {thing:name}"], ru: ["цены"] },
      values: { thing: { ask: { en: "Of what?", ru: "Чего?" } } },
      say: { en: ["The price of {thing} is {memory.prices.0|money:memory.currency}."], ru: [] },
    },
    { name: "else", say: { en: ["I can:", { each: "examples", line: "- {it}" }], ru: ["Нет."] } },
  ],
  troubles: [{ end: "failed", say: { en: ["Nobody: {reason|bare}."], ru: ["Никого."] } }],
};

const MANAGER = [{ type: "function", name: "dialog_call_manager" }];
const user = (content: Json): JsonObject => ({ role: "user", content });
const said = (words: string): JsonObject => ({ role: "assistant", content: words });
const data = (kind: string, value: Json) => user(JSON.stringify({ type: "data", kind, data: value }));
const called = (call_id: string) => ({ type: "function_call", call_id, name: "dialog_call_manager", arguments: "{}" });
const output = (call_id: string, value: Json) => ({
  type: "function_call_output",
  call_id,
  output: JSON.stringify(value),
});

function answer(items: JsonObject[], tools: JsonObject[] = MANAGER, instructions = "You are the administrator.") {
  return reply(readTurn({ instructions, items, tools }), SCRIPT, NOW);
}

describe("D7: choosing a scenario", () => {
  const asked = [user("Please, call a manager!")];

  it("by a phrase of the newest message, offered tools, and the agent", () => {
    expect(answer(asked)).toEqual({ calls: [{ name: "dialog_call_manager", params: { why: "asked", urgent: true } }] });
    expect(answer(asked, [])).toEqual({ text: "I can:" });
    expect(answer(asked, MANAGER, "You are a translator.")).toEqual({ text: "I can:" });
    expect(answer([user("anything")])).toEqual({ text: "I can:\n- call a manager" });
  });

  it("messages and results before the newest message are ignored", () => {
    const before = [user("call a manager"), called("c1"), output("c1", { name: "Ada" }), said("Ada will answer.")];
    expect(answer([...before, user("thanks")])).toEqual({ text: "I can:\n- call a manager" });
    expect(answer([...before, user("call a manager")])).toMatchObject({ calls: [{}] });
  });

  it("data, errors and state are not a user's message, wherever they are", () => {
    const error = user(JSON.stringify({ call: null, error: { code: "x", message: "call a manager" } }));
    const state = data("state", { say: "call a manager" });
    expect(answer([user("hello"), error, state])).toEqual({ text: "I can:\n- call a manager" });
    expect(answer([...asked, error, state])).toMatchObject({ calls: [{}] });
  });

  it("a message may come in parts, and a missing value is asked for", () => {
    const parts = [
      { type: "input_text", text: "The price of " },
      { type: "input_text", text: "bread?" },
    ];
    const memory = data("memory", { prices: [1500], currency: "EUR" });
    expect(answer([memory, user(parts)])).toEqual({ text: "The price of bread is €1,500." });
    expect(answer([memory, user("prices?")])).toEqual({ text: "Of what?" });
  });

  it("the newest memory is used, and its values fill parameters", () => {
    const items = [data("memory", { note: "old" }), ...asked, data("memory", { note: ["new"] })];
    expect(answer(items)).toMatchObject({ calls: [{ params: { why: "asked", urgent: true, note: ["new"] } }] });
  });
});

describe("D7: other inputs of a scenario", () => {
  const SHELF = [
    { said: "(bread|loaf)", name: "bread", price: 2 },
    { said: "cake*", name: "cake", price: 9 },
  ];
  const shop: Script = {
    scenarios: [
      {
        name: "sell",
        instructed: { shop: /^Shop: (.+)$/m },
        lookups: { found: { by: "message", in: { en: SHELF, ru: [] } } },
        say: { en: ["{found.name} at {shop}: {found.price}. How many?"], ru: [] },
      },
      {
        name: "count",
        after: { en: /^(?<name>\w+) at .* How many\?$/, ru: /Сколько\?$/ },
        phrases: { en: ["^{count:number}$"], ru: ["^{count:number}$"] },
        texts: { order: { en: "{count} x {name}", ru: "" } },
        say: { json: { en: { order: "{order}", note: '[?{memory.note} ]"', items: ["{count}"] }, ru: {} } },
      },
      { name: "else", say: { en: ["No."], ru: ["Нет."] } },
    ],
    troubles: [],
  };
  const at = (instructions: string, ...items: JsonObject[]) =>
    reply(readTurn({ instructions, items, tools: [] }), shop, NOW);

  it("lines of the instructions, and a table entry named in the message; without one it does not match", () => {
    expect(at("Sell.\nShop: Corner", user("A cake, please"))).toEqual({ text: "cake at Corner: 9. How many?" });
    expect(at("Sell.", user("a loaf"))).toEqual({ text: "bread at —: 2. How many?" });
    expect(at("Sell.", user("a pear"))).toEqual({ text: "No." });
  });

  it("the agent's last message, of which groups are values; older ones are ignored", () => {
    const asked = said("cake at Corner: 9. How many?");
    const json = '{"order":"3 x cake","note":"\\"","items":[3]}';
    expect(at("", user("cake"), asked, user("3"))).toEqual({ text: json });
    expect(at("", user("cake"), asked, user("no"), said("No."), user("3"))).toEqual({ text: "No." });
    expect(at("", user("3"))).toEqual({ text: "No." });
  });

  it("a command has no language: the previous one counts", () => {
    expect(at("", user("привет"), said("Нет."), user("/start"))).toEqual({ text: "Нет." });
  });
});

it("a phrase may start with optional words", () => {
  const { pattern } = compilePhrase("^[(the|a)] [new] task {id:number}");
  for (const words of ["task 5", "the task 5", "new task 5", "a new task 5"]) expect(words).toMatch(pattern);
  expect("an old task 5").not.toMatch(pattern);
});

describe("D7: results of calls", () => {
  const after = (value: Json) => answer([user("call a manager"), called("c1"), output("c1", value)]);

  it.each<[Json, string]>([
    [{ name: "Ada", minutes: 5 }, "Ada will, in 5 minutes, answer."],
    [{ name: "Ada" }, "Ada will answer."],
    [{ name: "Ada", status: "2" }, "Ada will answer."],
    [{ status: "failed", error: { code: "x", message: "All are out." } }, "Nobody: All are out."],
    [{ error: { code: "not_run", message: "The plan did not hold" } }, "Nobody: The plan did not hold."],
    [null, "— will answer."],
  ])("%j", (value, text) => {
    expect(after(value)).toEqual({ text });
  });

  it("a call without an answer has no result", () => {
    expect(answer([user("call a manager"), called("c1")])).toMatchObject({ calls: [{}] });
  });
});

it("a phrase that captures an unused value is an error in the script", () => {
  expect(() => compilePhrase("deal {deal:id}")).toThrow("nothing reads");
});

it("D7: stored responses are bounded: the oldest are evicted", () => {
  const chains = new Chains(2);
  for (const id of ["a", "b", "c"]) chains.keep(id, [user(id)]);
  expect(["a", "b", "c"].map((id) => chains.upTo(id))).toEqual([null, [user("b")], [user("c")]]);
});
