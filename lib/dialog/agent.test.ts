import { describe, expect, it } from "vitest";
import { sentence } from "../session/issues.ts";
import { agentDefinition } from "./agent.ts";

const HISTORY = "Be kind.\n{{messageHistory}}";
const define = (definition: object) => agentDefinition.parse({ instructions: "Be kind.", ...definition });

/** The first error with its place; null if valid. */
function faultOf(definition: object): string | null {
  const read = agentDefinition.safeParse({ instructions: "Be kind.", ...definition }, { error: sentence });
  const [issue] = read.error?.issues ?? [];
  return issue ? `/${issue.path.join("/")} ${issue.message}` : null;
}

describe("H4: an agent's history", () => {
  it("comes from the provider, within limits, by default", () => {
    expect(define({}).history).toEqual({ source: "provider", max_tokens: 4_000, max_messages: 200 });
    expect(define({ history: { max_tokens: 100 } }).history).toEqual({
      source: "provider",
      max_tokens: 100,
      max_messages: 200,
    });
  });

  it("is in the prompt if the instructions include it, and never twice", () => {
    expect(faultOf({ instructions: HISTORY, history: { source: "prompt" } })).toBeNull();
    expect(faultOf({ history: { source: "prompt" } })).toBe(
      '/history/source is "prompt", so the instructions must contain {{messageHistory}} where the history belongs',
    );
    const twice =
      '/history/source must be "prompt" when the instructions contain {{messageHistory}}; otherwise the model would read the history twice';
    expect(faultOf({ instructions: HISTORY })).toBe(twice);
    expect(faultOf({ instructions: "{{ messageHistory | nothing }}", history: { source: "provider" } })).toBe(twice);
  });

  it("is not included by similar names", () => {
    expect(faultOf({ instructions: "{{messageHistory.first}} {{history}} {messageHistory}" })).toBeNull();
  });

  it("is not searched in instructions that are too long", () => {
    const { error } = agentDefinition.safeParse(
      { instructions: HISTORY + "x {{a.b}} ".repeat(10_000) },
      { error: sentence },
    );
    expect(error?.issues.map(({ path }) => path)).toEqual([["instructions"]]);
  });

  it.each([
    [{ history: { max_tokens: 31 } }, "/history/max_tokens must be at least 32"],
    [{ history: { max_chars: 127 } }, "/history/max_chars must be at least 128"],
    [{ history: { max_messages: 0 } }, "/history/max_messages must be at least 1"],
    [{ history: { max_messages: 10_001 } }, "/history/max_messages must be at most 10000"],
    [{ history: { limit: 5 } }, "/history has unknown fields"],
    [{ timezone: "Mars/Olympus" }, '/timezone must be a time zone such as "Europe/Moscow"'],
    [{ timezone: "" }, '/timezone must be a time zone such as "Europe/Moscow"'],
  ])("is refused as %j, with the field", (definition, fault) => {
    expect(faultOf(definition)).toBe(fault);
  });

  it("H1: an agent may have its own time zone", () => {
    expect(define({ timezone: "Asia/Kathmandu" }).timezone).toBe("Asia/Kathmandu");
  });
});
