import { describe, expect, it } from "vitest";
import { ApiProblem } from "@/components/client/api.ts";
import { NOWHERE } from "./place.ts";
import { faultsOf, renderRequest } from "./render-request.ts";

describe("H6: a template is tried with a conversation's step", () => {
  it("with none, the history is empty and nothing else is said", () => {
    expect(renderRequest("Hi", NOWHERE, {})).toEqual({ template: "Hi", messages: [], context: {}, limits: {} });
  });

  it("the conversation brings the messages; what the place says is laid over", () => {
    const place = { ...NOWHERE, conversation: "c", at: 0, timezone: "Asia/Tokyo", max_tokens: 64 };
    expect(renderRequest("Hi", place, {})).toEqual({
      template: "Hi",
      conversation_id: "c",
      at: 0,
      context: { timezone: "Asia/Tokyo" },
      limits: { max_tokens: 64 },
    });
  });

  it("an agent's own settings hold where the place says nothing else", () => {
    const agent = { locale: "ru", limits: { max_tokens: 4_000, max_messages: 200 }, tools: [] };
    const { context, limits } = renderRequest("Hi", { ...NOWHERE, locale: "en", max_tokens: 50 }, agent);
    expect(context).toEqual({ locale: "en", tools: [] });
    expect(limits).toEqual({ max_tokens: 50, max_messages: 200 });
  });
});

describe("H6: an error stands where it lies", () => {
  const problem = (code: string, ...paths: string[]) =>
    new ApiProblem({
      status: 400,
      code,
      detail: "No.",
      errors: paths.map((path) => ({ path, message: `not ${path}` })),
    });

  it.each([
    ["/context/timezone", "timezone"],
    ["/context/now", "now"],
    ["/limits/max_tokens", "max_tokens"],
    ["/at", "at"],
    ["/conversation_id", "conversation"],
    ["/messages/3/role", null],
  ])("%s", (path, field) => {
    expect(faultsOf(problem("invalid_input", path))).toEqual([{ field, message: `not ${path}` }]);
  });

  it("an unknown conversation, and what lies nowhere", () => {
    expect(faultsOf(problem("not_found"))).toEqual([{ field: "conversation", message: "No." }]);
    expect(faultsOf(problem("too_large"))).toEqual([{ field: null, message: "No." }]);
  });
});
