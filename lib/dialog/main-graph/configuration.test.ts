import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BAKERY } from "../testing/directed-turns.ts";
import { readSetupAnswer } from "./configuration.ts";

const JSON_TEXT = JSON.stringify(BAKERY);
const read = { kind: "configuration", value: BAKERY };
/** The error of an answer. */
const faultOf = (answer: string | null) => {
  const found = readSetupAnswer(answer);
  return found.kind === "bad" ? found.fault : null;
};

describe("D4: a configuration is parsed from a model's answer", () => {
  it.each([
    ["by itself", JSON_TEXT],
    ["over several lines", JSON.stringify(BAKERY, null, 2)],
    ["in a code fence", `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ["with prose around it", `Here {as you asked} it is: ${JSON_TEXT} Good luck!`],
    ["as a JSON text", JSON.stringify(JSON_TEXT)],
    ["with keys beside", JSON.stringify({ ...BAKERY, confidence: 1, question: null })],
    ["with spaces around its texts", JSON.stringify({ ...BAKERY, niche: " bakery\n" })],
    ["after an object of another kind", `{"thought": "a {brace}"} ${JSON_TEXT}`],
  ])("%s", (_name, answer) => expect(readSetupAnswer(answer)).toEqual(read));

  it("with braces, quotes and fences in its strings", () => {
    const value = { ...BAKERY, persona_instruction: 'Say "}" and \\ and ```{' };
    expect(readSetupAnswer(`So: ${JSON.stringify(value)}.`)).toEqual({ kind: "configuration", value });
  });

  it("or a question, while the business is unknown", () => {
    const asked = { kind: "question", text: "What do you do?" };
    expect(readSetupAnswer('{"question": "What do you do?"}')).toEqual(asked);
    expect(readSetupAnswer('```\n{"question": " What do you do? "}\n```')).toEqual(asked);
    expect(readSetupAnswer(JSON.stringify({ ...BAKERY, question: "Really?" }))).toEqual(read);
  });

  it("reports errors otherwise", () => {
    expect(faultOf(null)).toBe("it was empty");
    expect(faultOf(" ")).toBe("it was empty");
    expect(faultOf("What do you do?")).toBe("it held no JSON object");
    expect(faultOf("[1]")).toBe("it held no JSON object");
    expect(faultOf('{"niche": "bakery"')).toBe("it held no JSON object");
    expect(faultOf(JSON.stringify({ ...BAKERY, niche: "", company_name: 7 }))).toBe(
      "/niche must not be empty; /company_name must be a string",
    );
    expect(faultOf(JSON.stringify({ ...BAKERY, welcome_message: "a".repeat(2_001) }))).toBe(
      "/welcome_message must have at most 2000 characters",
    );
    expect(faultOf('{"question": ""}')).toContain("/niche is required");
    expect(faultOf("a".repeat(50_000))).toContain("more than 40000 characters");
  });

  it("parses any text without an exception, fast", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("{", "}", '"', "\\", "a", JSON_TEXT, '{"question":"x"}', "[")), (pieces) => {
        expect(["configuration", "question", "bad"]).toContain(readSetupAnswer(pieces.join("")).kind);
      }),
    );
    expect(faultOf("{".repeat(40_000))).toBe("it held no JSON object");
    expect(faultOf('{"a":'.repeat(8_000))).toBe("it held no JSON object");
  });
});
