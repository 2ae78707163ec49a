import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { LimitTooSmall } from "./limits.ts";
import type { HistoryMessage, PromptContext } from "./prompt.ts";
import { PromptTooLong, renderPrompt } from "./render.ts";
import { parseTemplate } from "./template.ts";
import { anyMessages, message, NO_LIMITS } from "./testing/messages.ts";
import { estimateTokens } from "./tokens.ts";
import { zoneOf } from "./zone.ts";

const CONTEXT: PromptContext = {
  user_id: "anna",
  household_id: "h-7",
  timezone: "Asia/Kolkata",
  now: Date.UTC(2026, 4, 1, 10, 0, 0),
  locale: "en",
  state: { order: { id: 7, items: [{ sku: "A" }, null], "a key": "plain" }, none: null, empty: "" },
  memory: { goals: ["Order servers"], objects: { current_deal_id: null } },
  state_summary: "Goals:\n- Order servers",
  configuration: { company_name: "Rose & Co" },
  warnings: ["No goals", "Two\nlines"],
  tools: [
    { name: "crm.deal.get", description: "Reads a deal.\nBy its id." },
    { name: "pay", description: "" },
  ],
};

const NOTHING: PromptContext = { user_id: null, household_id: null, timezone: null, now: 0, locale: "en" };

function render(template: string, context: Partial<PromptContext> = {}, messages: readonly HistoryMessage[] = []) {
  return renderPrompt({ template, messages, context: { ...CONTEXT, ...context }, limits: NO_LIMITS });
}

/** Rendered with an empty context. */
function renderBare(template: string) {
  return renderPrompt({ template, messages: [], context: NOTHING, limits: NO_LIMITS });
}

describe("H1: every placeholder is replaced with its value", () => {
  it.each([
    ["{{userId}}", "anna", "user"],
    ["{{householdId}}", "h-7", "household"],
    ["{{currentTime}}", "2026-05-01T10:00:00.000Z", "time"],
    ["{{timezone}}", "Asia/Kolkata", "timezone"],
    ["{{stateSummary}}", "Goals:\n- Order servers", "summary"],
    ["{{state.order.id}}", "7", "state"],
    ["{{state.order.items[0]}}", '{"sku":"A"}', "state"],
    ['{{state.order["a key"]}}', "plain", "state"],
    ["{{state.empty}}", "", "state"],
    ["{{memory.goals}}", '["Order servers"]', "memory"],
    ["{{memory.goals[0]}}", "Order servers", "memory"],
    ["{{configuration}}", '{"company_name":"Rose & Co"}', "configuration"],
    ["{{configuration.company_name}}", "Rose & Co", "configuration"],
    ["{{warnings}}", "- No goals\n- Two lines", "warnings"],
    ["{{tools}}", "- crm.deal.get: Reads a deal. By its id.\n- pay", "tools"],
    ["{{messageHistory}}", "[15:30] User: Hello", "history"],
  ])("%s is %j", (template, value, origin) => {
    const named = template.slice(2, -2);
    const hello = message("user", "Hello", { at: "2026-05-01T10:00:00Z" });
    const rendered = render(`<${template}>`, {}, [hello]);
    expect(rendered).toMatchObject({ prompt: `<${value}>`, replaced: [named], missing: [], warnings: [] });
    expect(rendered.parts).toMatchObject([{ start: 1, end: 1 + value.length, placeholder: named, origin }]);
    expect(rendered.tokens).toBe(estimateTokens(`<${value}>`));
  });

  it("state and memory as a whole are JSON", () => {
    const rendered = render("{{state}}\n{{memory}}");
    expect(rendered.prompt.split("\n").map((line) => JSON.parse(line))).toEqual([CONTEXT.state, CONTEXT.memory]);
    expect(render("{{state}}", { state: "as it is" }).prompt).toBe("as it is");
    expect(render("{{state}} {{memory}}", { state: 0, memory: false }).prompt).toBe("0 false");
  });

  it("wherever it is used, and reported once, in order", () => {
    const rendered = render("{{userId}} {{timezone}} {{ userId }} {{userId|x}}");
    expect(rendered.prompt).toBe("anna Asia/Kolkata anna anna");
    expect(rendered.replaced).toEqual(["userId", "timezone"]);
    expect(rendered.parts.map(({ placeholder }) => placeholder)).toEqual(["userId", "timezone", "userId", "userId"]);
  });

  it("an empty list is a value: there are no warnings, and no tools", () => {
    const rendered = render("<{{warnings|default}}{{tools}}>", { warnings: [], tools: [] });
    expect(rendered).toMatchObject({ prompt: "<>", replaced: ["warnings", "tools"], missing: [] });
  });
});

test("H5: a prompt only has the parts of state and memory that it names", () => {
  const rendered = render("{{state.order.id}} {{memory.goals[0]}}");
  expect(rendered.prompt).toBe("7 Order servers");
});

describe("H1: user, time and place", () => {
  it("H1: are in the prompt", () => {
    expect(render("{{userId}} of {{householdId}} at {{currentTime}}").prompt).toBe(
      "anna of h-7 at 2026-05-01T10:00:00.000Z",
    );
  });

  it("H1: without a user's zone it is the system's, and not reported", () => {
    const { zone } = zoneOf(null);
    expect(renderBare("{{timezone|nowhere}}")).toMatchObject({ prompt: zone, replaced: ["timezone"], warnings: [] });
  });

  it("H1: an unknown zone is the system's, and reported once", () => {
    const rendered = render("{{messageHistory}} {{timezone}}", { timezone: "Mars/Olympus" });
    expect(rendered).toMatchObject({ replaced: ["messageHistory", "timezone"], missing: [] });
    expect(rendered.prompt).toContain(zoneOf(null).zone);
    expect(rendered.warnings).toHaveLength(1);
    expect(rendered.warnings[0]).toMatchObject({ code: "unknown_timezone", placeholder: "messageHistory" });
    expect(rendered.warnings[0]?.detail).toContain("Mars/Olympus");
    expect(render("{{userId}}", { timezone: "Mars/Olympus" }).warnings).toEqual([]);
  });
});

describe("H1, H6: missing values", () => {
  it.each([
    ...["userId", "householdId", "stateSummary", "state", "state.order.id", "memory", "memory.goals", "warnings"],
    "tools",
  ])("%s is its default, else empty, with a warning for each", (named) => {
    const bare = renderBare(`<{{${named}}}>`);
    expect(bare).toMatchObject({ prompt: "<>", replaced: [], missing: [named] });
    expect(bare.parts).toEqual([{ start: 1, end: 1, placeholder: named, origin: "missing" }]);
    expect(bare.warnings).toMatchObject([{ code: "missing", placeholder: named }]);
    const withDefault = renderBare(`<{{${named}|none, {really}}}>`);
    expect(withDefault).toMatchObject({ prompt: "<none, {really}>", missing: [named] });
    expect(withDefault.parts).toMatchObject([{ origin: "default" }]);
    expect(renderBare(`<{{${named}|}}>`)).toMatchObject({ prompt: "<>", missing: [named] });
  });

  it("include null, and paths that do not exist, also of a prototype", () => {
    for (const path of [
      "none",
      "order.none",
      "order.items[1]",
      "order.items[2]",
      "order.items.length",
      "a.b.c",
      "empty.x",
    ])
      expect(render(`{{state.${path}|-}}`)).toMatchObject({ prompt: "-", missing: [`state.${path}`] });
    for (const path of ["__proto__", "constructor", "toString", "order.__proto__.id", "hasOwnProperty.name"])
      expect(render(`{{state.${path}|-}}`).prompt).toBe("-");
    expect(render("{{state.__proto__}}", { state: JSON.parse('{"__proto__": "own"}') }).prompt).toBe("own");
    expect(render("{{memory.objects.current_deal_id|none yet}}").prompt).toBe("none yet");
  });

  it("are reported once by name", () => {
    const rendered = renderBare("{{userId}}{{userId|guest}}{{state.a}}{{state.b}}");
    expect(rendered.missing).toEqual(["userId", "state.a", "state.b"]);
    expect(rendered.warnings.map(({ placeholder }) => placeholder)).toEqual(rendered.missing);
    expect(rendered.warnings.map(({ detail }) => detail)[1]).toBe("There is no state: state.a is replaced by nothing.");
  });
});

test.each(["name", "userid", "userId.name", "messageHistory.last", "toString", "__proto__", "constructor", "имя"])(
  "H1, H6: an unknown name, %s, stays as it is, with a warning",
  (named) => {
    const template = `<{{ ${named} | a }}{{${named}}}>`;
    const rendered = render(template);
    expect(rendered).toMatchObject({ prompt: template, replaced: [], missing: [named] });
    expect(rendered.parts.map(({ start, end, origin }) => [template.slice(start, end), origin])).toEqual([
      [`{{ ${named} | a }}`, "unknown"],
      [`{{${named}}}`, "unknown"],
    ]);
    expect(rendered.warnings).toMatchObject([{ code: "unknown_placeholder", placeholder: named }]);
    expect(rendered.warnings[0]?.detail).toMatch(/did you mean \w+\?$/);
  },
);

describe("H1: replacement is one pass", () => {
  const HOSTILE = [
    "{{userId}}",
    "$&",
    "$1$$",
    "{{",
    "}}",
    "{{{{",
    "{{userId|",
    "\u202eabc\u2069",
    "\\",
    "👩‍👩‍👧",
    "\ud83d",
  ];

  it.each(HOSTILE)("%j is plain text in every value", (value) => {
    const context = {
      ...{ user_id: value, household_id: value, state_summary: value, state: { [value]: value, a: value } },
      ...{ memory: { a: [value] }, tools: [{ name: value, description: value }] },
    };
    const rendered = render(
      "{{userId}}|{{householdId}}|{{stateSummary}}|{{state.a}}|{{memory.a[0]}}|{{missing.name}}|{{state.no|{{userId}}",
      context,
    );
    const values = [value, value, value, value, value, "{{missing.name}}", "{{userId"];
    expect(rendered.prompt).toBe(values.join("|"));
    expect(render("{{tools}}", context).prompt).toBe(`- ${value}: ${value}`);
  });

  it.each(HOSTILE)("%j is plain text in a message", (value) => {
    const rendered = render("{{messageHistory}}", { timezone: "UTC" }, [message("user", `a${value}b`)]);
    expect(rendered.prompt).toBe(`[10:00] User: a${value}b`);
    expect(rendered.replaced).toEqual(["messageHistory"]);
  });

  it("braces from a value and the template do not combine", () => {
    expect(render("{{{userId}}}}", { user_id: "{userId" }).prompt).toBe("{{userId}}");
    expect(render("{{householdId}}userId}}", { household_id: "{{" }).prompt).toBe("{{userId}}");
  });
});

describe("H2, H1: the history", () => {
  it("H1: is at its placeholder, with each message's position", () => {
    const messages = [message("user", "Hello"), message("assistant", "Good day"), message("user", "Bye")];
    const rendered = render("History:\n{{messageHistory}}\nEnd", { timezone: "UTC" }, messages);
    expect(rendered.prompt).toBe("History:\n[10:00] User: Hello\n[10:00] Assistant: Good day\n[10:00] User: Bye\nEnd");
    expect(rendered.history).toMatchObject({ total: 3, shown: 3, truncated: false });
    const [part] = rendered.parts;
    expect(part?.messages?.map(({ id, start, end }) => [id, rendered.prompt.slice(start, end)])).toEqual([
      ["Hello", "[10:00] User: Hello"],
      ["Good day", "[10:00] Assistant: Good day"],
      ["Bye", "[10:00] User: Bye"],
    ]);
  });

  it("may be included several times", () => {
    const rendered = render("{{messageHistory}}|{{messageHistory}}", { timezone: "UTC" }, [message("user", "Hi")]);
    expect(rendered.prompt).toBe("[10:00] User: Hi|[10:00] User: Hi");
    expect(rendered.parts.map((part) => part.messages)).toMatchObject([
      [{ start: 0, end: 16 }],
      [{ start: 17, end: 33 }],
    ]);
  });

  it.each([
    ["ru", "История диалога пуста"],
    ["en", "The dialog history is empty"],
  ] as const)("H2: that is empty says so in %s, and is not missing", (locale, words) => {
    const system = message("system", "Be kind");
    for (const messages of [[], [system]]) {
      const rendered = render("{{messageHistory|none}}", { locale }, messages);
      expect(rendered).toMatchObject({ prompt: words, replaced: ["messageHistory"], missing: [], warnings: [] });
      expect(rendered.history).toMatchObject({ total: messages.length, shown: 0, truncated: false });
    }
  });

  it("H4: is cut to its limits, which apply to nothing else", () => {
    const messages = Array.from({ length: 50 }, (_, index) =>
      message("user", `Message ${index} ${"word ".repeat(10)}`),
    );
    const limits = { ...NO_LIMITS, max_tokens: 100 };
    const template = `${"a".repeat(2_000)}{{messageHistory}}`;
    const rendered = renderPrompt({ template, messages, context: CONTEXT, limits });
    expect(rendered.prompt).toContain("Message 49");
    expect(rendered.prompt).not.toContain("Message 20 ");
    expect(rendered.history).toMatchObject({ total: 50, truncated: true });
    expect(estimateTokens(rendered.prompt.slice(2_000))).toBeLessThanOrEqual(100);
    expect(rendered.history.final_tokens).toBe(estimateTokens(rendered.prompt.slice(2_000)));
    expect(rendered.tokens).toBe(estimateTokens(rendered.prompt));
  });

  it("of a template without it is not rendered, and only counted", () => {
    const rendered = render("Hi {{userId}}", {}, [message("user", "Hello")]);
    expect(rendered.prompt).toBe("Hi anna");
    expect(rendered.history).toMatchObject({ total: 1, shown: 0, original_tokens: 0, truncated: false, left_out: [] });
  });

  it("H4: a limit that is too small is refused, wherever the history is", () => {
    for (const template of ["{{messageHistory}}", "none"])
      for (const limits of [{ max_tokens: 31 }, { max_chars: 127 }, { max_messages: 0 }, { max_tokens: -1 }])
        expect(() =>
          renderPrompt({ template, messages: [], context: CONTEXT, limits: { ...NO_LIMITS, ...limits } }),
        ).toThrow(LimitTooSmall);
  });
});

test("H6: parts have the positions of replaced placeholders, and the rest is the template's text", () => {
  const value = fc.constantFrom("", "{{userId}}", "$&", "a\nb", "👩‍👩‍👧", "\u202e");
  const piece = fc.constantFrom(
    ...["{{userId}}", "{{messageHistory}}", "{{state.a|d}}", "{{nobody}}", "{{memory}}", "{{memory|x}}", "{{", "}}"],
    ...["text, ", "\n", "$&", "{{currentTime}}"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), anyMessages, value, (pieces, messages, a) => {
      const template = pieces.join("");
      const context = { ...NOTHING, user_id: a, state: { a } };
      const { prompt, parts, replaced, missing } = renderPrompt({ template, messages, context, limits: NO_LIMITS });
      const texts = parseTemplate(template).filter(({ kind }) => kind === "text");
      let rest = "";
      let place = 0;
      for (const { start, end } of parts) {
        expect(start).toBeGreaterThanOrEqual(place);
        rest += prompt.slice(place, start);
        place = end;
      }
      expect(rest + prompt.slice(place)).toBe(texts.map(({ raw }) => raw).join(""));
      for (const { start, end, placeholder, origin, messages: places = [] } of parts) {
        if (origin === "user") expect(prompt.slice(start, end)).toBe(a);
        if (origin === "unknown") expect(prompt.slice(start, end)).toBe("{{nobody}}");
        expect(replaced.includes(placeholder)).toBe(!missing.includes(placeholder));
        for (const one of places) expect(start <= one.start && one.start <= one.end && one.end <= end).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

describe("H1: the size of a prompt is limited", () => {
  it("100,000 placeholders with a large state are refused, with a remedy", () => {
    const state = { text: "x".repeat(100_000) };
    expect(() => render("{{state}}".repeat(100_000), { state })).toThrow(PromptTooLong);
    expect(() => render("{{state}}".repeat(100_000), { state })).toThrow(/name only the parts/);
  });

  it("so are too many placeholders, or positions of messages", () => {
    expect(() => render("{{userId}}".repeat(100_001))).toThrow(PromptTooLong);
    const messages = Array.from({ length: 10_000 }, () => message("user", ""));
    expect(() => render("{{messageHistory}}".repeat(10), {}, messages)).toThrow(PromptTooLong);
    expect(render("{{messageHistory}}".repeat(9), {}, messages).parts).toHaveLength(9);
  });

  it("a hundred thousand placeholders, and a template of a million characters, are rendered", () => {
    const rendered = render("{{userId}}{{nobody}}{{state.a}}{{userId}}".repeat(25_000));
    expect(rendered.prompt).toBe("anna{{nobody}}anna".repeat(25_000));
    expect(rendered.parts).toHaveLength(100_000);
    expect(rendered.warnings).toHaveLength(2);
    expect(render(`${"{".repeat(1_000_000)}{{userId}}`).prompt).toBe(`${"{".repeat(1_000_000)}anna`);
  });

  it("H6: thousands of missing values are listed, and the first ones reported", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `nobody${index}`);
    const rendered = render(names.map((name) => `{{${name}}}`).join(""));
    expect(rendered.missing).toEqual(names);
    expect(rendered.warnings.map(({ placeholder }) => placeholder)).toEqual(names.slice(0, 100));
  });

  it("H7: 10,000 messages are shown, or cut", () => {
    const messages = Array.from({ length: 10_000 }, (_, index) =>
      message(index % 2 ? "user" : "assistant", `m${index}`),
    );
    expect(render("{{messageHistory}}", {}, messages).history).toMatchObject({ total: 10_000, shown: 10_000 });
    const limits = { ...NO_LIMITS, max_tokens: 1_000 };
    const { history } = renderPrompt({ template: "{{messageHistory}}", messages, context: CONTEXT, limits });
    expect(history.truncated).toBe(true);
  });
});
