import { describe, expect, it } from "vitest";
import { ApiProblem } from "@/components/client/api.ts";
import { NOWHERE } from "./place.ts";
import { faultsOf, renderRequest } from "./render-request.ts";

describe("H6: the request for a template and a conversation's step", () => {
  it("without a conversation the history is empty", () => {
    expect(renderRequest("Hi", NOWHERE, {})).toEqual({ template: "Hi", messages: [], context: {}, limits: {} });
  });

  it("the conversation provides the messages; inputs of the page override", () => {
    const place = { ...NOWHERE, conversation: "c", at: 0, timezone: "Asia/Tokyo", max_tokens: 64 };
    expect(renderRequest("Hi", place, {})).toEqual({
      template: "Hi",
      conversation_id: "c",
      at: 0,
      context: { timezone: "Asia/Tokyo" },
      limits: { max_tokens: 64 },
    });
  });

  it("an agent's settings apply where the page has none", () => {
    const agent = { locale: "ru", limits: { max_tokens: 4_000, max_messages: 200 }, tools: [] };
    const { context, limits } = renderRequest("Hi", { ...NOWHERE, locale: "en", max_tokens: 50 }, agent);
    expect(context).toEqual({ locale: "en", tools: [] });
    expect(limits).toEqual({ max_tokens: 50, max_messages: 200 });
  });
});

describe("H6: an error is assigned to its field", () => {
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

  it("an unknown conversation, and an error without a field", () => {
    expect(faultsOf(problem("not_found"))).toEqual([{ field: "conversation", message: "No." }]);
    expect(faultsOf(problem("too_large"))).toEqual([{ field: null, message: "No." }]);
  });
});
