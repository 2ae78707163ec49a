import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Direction } from "../../engine/turn.ts";
import { agentIn, BAKERY, nodesOf, openDialogs, type Says } from "../testing/directed-turns.ts";

let dialogs: Awaited<ReturnType<typeof openDialogs>>;
beforeAll(async () => {
  dialogs = await openDialogs();
});
afterAll(() => dialogs.close());

const SWITCH = { handed_over: {}, used_tools: ["SwitchToDemo"] };
const SETUP = JSON.stringify(BAKERY);
const WELCOME = "[Demonstration] Hello from Crumb!";

/** A conversation in the demonstration. */
async function inDemo(options?: Parameters<typeof dialogs.begin>[0]) {
  const talk = await dialogs.begin(options);
  await talk.put("stage", "demo");
  await talk.put("configuration", BAKERY);
  return talk;
}

const namesOf = (directions: readonly Direction[]) => nodesOf(directions).map(({ node }) => node);
/** The events of directions besides nodes. */
const changesOf = (directions: readonly Direction[]) =>
  directions
    .flatMap(({ events }) => events)
    .flatMap(({ type, payload }) => (type === "stage.entered" ? [] : [{ type, ...payload }]));

describe("D1, D2: a turn goes to the stored stage, else to the administrator", () => {
  it("in a new conversation the administrator answers, and the stage is stored", async () => {
    const talk = await dialogs.begin();
    const { text, asked, directions } = await talk.turn("Hi", () => "Hello!");
    expect(text).toBe("Hello!");
    expect(asked).toMatchObject([{ agent_id: "the-admin", node: "handle_admin", silent: false, note: null }]);
    expect(namesOf(directions)).toEqual(["detect_stage", "handle_admin", "END"]);
    expect(changesOf(directions)).toEqual([
      { type: "agent_state.written", agent_id: `dialog:${talk.conversation_id}`, key: "stage", value: "admin" },
      { type: "stage.changed", from: null, to: "admin" },
    ]);
    expect(directions.map(({ events }) => events.length)).toEqual([4, 1]);
  });

  it("an unchanged stage is stored once", async () => {
    const talk = await dialogs.begin();
    await talk.turn("Hi", () => "Hello!");
    expect(changesOf((await talk.turn("And?", () => "Yes.")).directions)).toEqual([]);
  });

  it("in the demonstration its agent answers, with prefix and configuration", async () => {
    const talk = await inDemo();
    const { text, asked, directions } = await talk.turn("What have you got?", () => "Bread.");
    expect(text).toBe("[Demonstration] Bread.");
    expect(asked).toMatchObject([{ agent_id: "the-demo", configuration: BAKERY, prefix: "[Demonstration] " }]);
    expect(namesOf(directions)).toEqual(["detect_stage", "handle_demo", "END"]);
  });

  it.each(["стоп", "Stop!", " /STOP "])("D2: %j leads back to the administrator, who answers it", async (command) => {
    const talk = await inDemo();
    const { asked, directions } = await talk.turn(command, () => "I am here again.");
    expect(asked.map(({ agent_id }) => agent_id)).toEqual(["the-admin"]);
    expect(namesOf(directions)).toEqual(["detect_stage", "handle_admin", "END"]);
    expect([await talk.kept("stage"), await talk.shown()]).toEqual(["admin", "admin"]);
    expect(await talk.kept("configuration")).toEqual(BAKERY);
  });

  it("emits the state at each node and at the end (D3)", async () => {
    const talk = await inDemo();
    await talk.put("response_id", { response_id: "resp-0", agent_id: "the-demo", run_id: "r0", answers: 1, until: 1 });
    const said = { answer: "Bread.", used_tools: ["prices"], response_id: "resp-1" };
    const { directions } = await talk.turn("What have you got?", () => said);
    const beginning = {
      message: "What have you got?",
      ...{ previous_response_id: "resp-0", chat_id: talk.conversation_id, stage: "demo", extracted_info: BAKERY },
      ...{ answer: "", manager_alert: null, agent_name: null, used_tools: [], response_id: null },
    };
    const end = {
      ...{ answer: "[Demonstration] Bread.", agent_name: "the-demo", used_tools: ["prices"], response_id: "resp-1" },
    };
    expect(nodesOf(directions)).toEqual([
      { node: "detect_stage", state: beginning },
      { node: "handle_demo", agent_id: "the-demo", state: beginning },
      { node: "END", state: { ...beginning, ...end } },
    ]);
  });

  it("D3: a long message is shortened in the state, without half characters", async () => {
    const talk = await dialogs.begin();
    const { directions } = await talk.turn(`${"a".repeat(499)}😀${"b".repeat(10_000)}`, () => "c".repeat(10_000));
    expect(nodesOf(directions)[0]?.state?.message).toBe(`${"a".repeat(499)}…`);
    expect(nodesOf(directions).at(-1)?.state?.answer).toBe(`${"c".repeat(500)}…`);
    expect(directions.at(-1)).toMatchObject({ text: "c".repeat(10_000) });
  });
});

describe("D5: the administrator switches to the demonstration in the same turn", () => {
  it("by its tool: the setup agent answers only to the director, and the welcome is sent", async () => {
    const talk = await dialogs.begin();
    const { text, asked, directions } = await talk.turn("Show me, I bake", (_, part) => (part === 0 ? SWITCH : SETUP));
    expect(text).toBe(WELCOME);
    expect(asked).toMatchObject([
      { agent_id: "the-admin", node: "handle_admin" },
      { agent_id: "the-demo_setup", node: "handle_demo", silent: true },
    ]);
    expect(namesOf(directions)).toEqual(["detect_stage", "handle_admin", "handle_demo", "END"]);
    const agent_id = `dialog:${talk.conversation_id}`;
    expect(changesOf(directions.slice(1))).toEqual([
      { type: "agent_state.written", agent_id, key: "stage", value: "demo_setup" },
      { type: "stage.changed", from: "admin", to: "demo_setup" },
      { type: "agent_state.written", agent_id, key: "configuration", value: BAKERY },
      { type: "agent_state.written", agent_id, key: "stage", value: "demo" },
      { type: "stage.changed", from: "demo_setup", to: "demo" },
    ]);
    expect(nodesOf(directions).at(-1)?.state).toMatchObject({
      ...{ stage: "demo", extracted_info: BAKERY, agent_name: "the-demo_setup", used_tools: ["SwitchToDemo"] },
    });
    expect((await talk.turn("Bread?", () => "Rye.")).text).toBe("[Demonstration] Rye.");
  });

  it("by the marker of a model without tools, which its user never sees; other text is sent", async () => {
    const talk = await dialogs.begin();
    const marked = "One moment! [SWITCH_TO_DEMO_RESULT]";
    const { text, directions } = await talk.turn("Show me", (_, part) => (part === 0 ? marked : SETUP));
    expect(text).toBe(`One moment!\n\n${WELCOME}`);
    expect(namesOf(directions)).toEqual(["detect_stage", "handle_admin", "handle_demo", "END"]);
    const again = await inDemo();
    await again.put("stage", "admin");
    const say = (_: object, part: number) => (part === 0 ? "[SWITCH_TO_DEMO_RESULT]" : "Bread.");
    expect((await again.turn("Back to it", say)).text).toBe("[Demonstration] Bread.");
  });

  it("with an existing configuration its agent answers at once", async () => {
    const talk = await inDemo();
    await talk.put("stage", "admin");
    const { text, asked } = await talk.turn("Back to it", (_, part) => (part === 0 ? SWITCH : "Bread."));
    expect(asked.map(({ agent_id }) => agent_id)).toEqual(["the-admin", "the-demo"]);
    expect([text, await talk.kept("stage")]).toEqual(["[Demonstration] Bread.", "demo"]);
  });

  it("for another business it is configured again", async () => {
    const talk = await inDemo();
    await talk.put("stage", "admin");
    const florist = { ...BAKERY, niche: "florist", welcome_message: "Flowers!" };
    const another = { handed_over: { another_business: true } };
    const say = (_: object, part: number) => (part === 0 ? another : JSON.stringify(florist));
    const { text, asked } = await talk.turn("Now flowers", say);
    expect(asked.map(({ agent_id }) => agent_id)).toEqual(["the-admin", "the-demo_setup"]);
    expect([text, await talk.kept("configuration")]).toEqual(["[Demonstration] Flowers!", florist]);
  });

  it("only the administrator can: another agent's marker has no effect, and no user sees it", async () => {
    const talk = await inDemo();
    for (const [said, told] of [
      ["Rye [SWITCH_TO_DEMO_RESULT] it is.", "[Demonstration] Rye   it is."],
      [" [SWITCH_TO_DEMO_RESULT] ", ""],
    ]) {
      const { text, asked } = await talk.turn("Hm", () => said ?? "");
      expect([asked.length, text]).toEqual([1, told]);
    }
  });
});

describe("D4: the demonstration is set up", () => {
  it("with a question first if the business is unknown: the stage stays, and the same agent gets the answer", async () => {
    const talk = await dialogs.begin();
    const question = JSON.stringify({ question: "What do you do?" });
    const first = await talk.turn("Show me", (_, part) => (part === 0 ? SWITCH : question));
    expect([first.text, await talk.kept("stage")]).toEqual(["What do you do?", "demo_setup"]);
    const second = await talk.turn("I bake", () => SETUP);
    expect(second.asked).toMatchObject([{ agent_id: "the-demo_setup", node: "handle_demo_setup", silent: true }]);
    expect(namesOf(second.directions)).toEqual(["detect_stage", "handle_demo_setup", "END"]);
    expect([second.text, await talk.kept("stage"), await talk.shown()]).toEqual([WELCOME, "demo", "demo"]);
  });

  it("invalid JSON is requested again, with the error", async () => {
    const talk = await dialogs.begin();
    await talk.put("stage", "demo_setup");
    const { niche: _, ...incomplete } = BAKERY;
    const { text, asked } = await talk.turn("I bake", (__, part) => (part === 0 ? JSON.stringify(incomplete) : SETUP));
    expect(asked.map(({ note }) => note)).toEqual([null, expect.stringContaining("/niche is required")]);
    expect(text).toBe(WELCOME);
  });

  it.each([
    ["en", /^I am sorry/],
    ["ru", /^Извините/],
  ] as const)("bad JSON twice ends with an apology in %s, and the stage stays", async (locale, words) => {
    const talk = await dialogs.begin({ locale });
    const say = (_: object, part: number): Says => (part === 0 ? SWITCH : "I cannot.");
    const { text, asked } = await talk.turn("Show me", say);
    expect(asked.map(({ agent_id }) => agent_id)).toEqual(["the-admin", "the-demo_setup", "the-demo_setup"]);
    expect(text).toMatch(words);
    expect([await talk.kept("stage"), await talk.kept("configuration")]).toEqual(["demo_setup", undefined]);
  });

  it("messages are in the user's language", async () => {
    const talk = await inDemo({ locale: "ru" });
    expect((await talk.turn("Что есть?", () => "Хлеб.")).text).toBe("[Демонстрация] Хлеб.");
  });

  it("an empty answer has no prefix", async () => {
    const talk = await inDemo();
    for (const answer of [null, "", " \n "]) expect((await talk.turn("Hm", () => ({ answer }))).text).toBe("");
  });
});

describe("D8: the time zone", () => {
  it("is the conversation's, else the agent's, else Moscow's", async () => {
    const talk = await dialogs.begin({ metadata: { timezone: "Asia/Kathmandu" } });
    const { asked } = await talk.turn("Hi", () => "Hello!");
    expect(asked[0]?.timezone).toBe("Asia/Kathmandu");
    const other = await dialogs.begin();
    expect((await other.turn("Hi", () => "Hello!")).asked[0]?.timezone).toBe("Europe/Moscow");
    other.agents.set("admin", agentIn("admin", { timezone: "Asia/Tokyo" }));
    expect((await other.turn("Hi", () => "Hello!")).asked[0]?.timezone).toBe("Asia/Tokyo");
  });
});

describe("D12: agents have their current definition", () => {
  it("a changed definition counts from the next turn", async () => {
    const talk = await dialogs.begin();
    await talk.turn("Hi", () => "Hello!");
    const history = { max_tokens: 100, max_messages: 5 };
    const more = {
      instructions: "New.",
      mode: "canary",
      tools: ["a"],
      max_iterations: 3,
      history,
      locale: "ru",
      timezone: "Asia/Tokyo",
    };
    talk.agents.set("admin", agentIn("admin", more));
    const { asked } = await talk.turn("Hi", () => "Hello!");
    expect(asked[0]).toEqual({
      agent_version: expect.stringMatching(/^[0-9a-f]{16}$/),
      ...{ agent_id: "the-admin", node: "handle_admin", instructions: "New.", mode: "canary", tools: ["a"] },
      history: { source: "provider", max_tokens: 100, max_chars: null, max_messages: 5, locale: "ru" },
      ...{ max_iterations: 3, timezone: "Asia/Tokyo", prefix: "", silent: false, configuration: null, note: null },
    });
  });

  it("a stage without an agent fails the turn with a message, and stays; «стоп» still leaves it", async () => {
    const talk = await inDemo();
    talk.agents.delete("demo");
    await expect(talk.turn("Hm", () => "Bread.")).rejects.toThrow(
      'no agent has the stage demo; add one with "stage": "demo"',
    );
    expect(await talk.kept("stage")).toBe("demo");
    expect((await talk.turn("стоп", () => "I am here.")).text).toBe("I am here.");
  });
});

describe("D2: invalid values written by an operator are ignored", () => {
  it.each([["nonsense"], [null], [{ stage: "demo" }]])("a stage %j is the administrator's", async (value) => {
    const talk = await dialogs.begin();
    await talk.put("stage", value);
    expect((await talk.turn("Hi", () => "Hello!")).text).toBe("Hello!");
    expect(await talk.kept("stage")).toBe("admin");
    expect(talk.logged).toMatchObject([{ agent_id: `dialog:${talk.conversation_id}`, key: "stage" }]);
  });

  it("D4: a configuration is replaced", async () => {
    const talk = await inDemo();
    await talk.put("configuration", { niche: "bakery" });
    const { text, asked } = await talk.turn("Hm", () => SETUP);
    expect(asked).toMatchObject([{ agent_id: "the-demo_setup", node: "handle_demo" }]);
    expect([text, await talk.kept("configuration")]).toEqual([WELCOME, BAKERY]);
    expect(talk.logged).toMatchObject([{ key: "configuration" }]);
  });

  it("is stored for the longest id of a conversation, too", async () => {
    const talk = await dialogs.begin({ conversation_id: "c".repeat(200) });
    const turn = (message: string) => talk.turn(message, (_, part) => (part === 0 ? SWITCH : SETUP));
    expect((await turn("Show me")).text).toBe(WELCOME);
    expect((await talk.turn("Bread?", () => "Rye.")).text).toBe("[Demonstration] Rye.");
  });

  it("a valid stage counts, and the list shows it from the next turn", async () => {
    const talk = await dialogs.begin();
    await talk.turn("Hi", () => "Hello!");
    await talk.put("configuration", BAKERY);
    await talk.put("stage", "demo");
    expect((await talk.turn("Hi", () => "Bread.")).text).toBe("[Demonstration] Bread.");
    expect(await talk.shown()).toBe("demo");
  });
});

const anyAnswer: fc.Arbitrary<Says> = fc.oneof(
  fc.constantFrom("Yes.", "", "[SWITCH_TO_DEMO_RESULT]", SETUP, "{", JSON.stringify({ question: "What?" })),
  fc.constantFrom(SWITCH, { handed_over: { another_business: true } }, { answer: null }),
  fc.record({ answer: fc.string(), used_tools: fc.subarray(["a", "b"]), response_id: fc.string() }),
);
const anyStage = fc.constantFrom("admin", "demo", "demo_setup", "nonsense", 7, null);
const anyConfiguration = fc.constantFrom(BAKERY, { ...BAKERY, niche: "florist" }, { niche: 1 }, null);
const anyTurn = fc.record({
  message: fc.constantFrom("Hi", "стоп", "Show me"),
  stage: anyStage,
  configuration: anyConfiguration,
  answers: fc.array(anyAnswer, { minLength: 4, maxLength: 4 }),
  meanwhile: fc.record({ stage: anyStage, configuration: anyConfiguration }),
});

describe("D1: a resumed turn continues as it started", () => {
  it("whatever was stored since, by the turn itself or by others", async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, async ({ message, stage, configuration, answers, meanwhile }) => {
        const directed = async (options?: { keeping: boolean } | "meanwhile") => {
          const talk = await dialogs.begin();
          await talk.put("stage", stage);
          await talk.put("configuration", configuration);
          const between = async () => {
            await talk.put("stage", meanwhile.stage);
            await talk.put("configuration", meanwhile.configuration);
          };
          const { directions, text } = await talk.turn(
            message,
            (_, part) => answers[part] ?? "",
            options === "meanwhile" ? { between } : options,
          );
          const told = JSON.stringify([text, directions]).replaceAll(talk.conversation_id, "c");
          expect(directions.length).toBeLessThanOrEqual(4);
          expect(nodesOf(directions).at(0)?.node).toBe("detect_stage");
          expect(nodesOf(directions).at(-1)?.node).toBe("END");
          return told;
        };
        const told = await directed();
        expect(await directed({ keeping: false })).toBe(told);
        expect(await directed("meanwhile")).toBe(told);
      }),
      { numRuns: 60 },
    );
  });
});
