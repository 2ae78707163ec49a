import { describe, expect, it } from "vitest";
import type { Json } from "../json/json.ts";
import { redactPayload } from "./redaction.ts";

const redact = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll("secret", "[redacted]"));

describe("redacting a payload", () => {
  it("Security: redacts content and keeps ids, kinds and paths", () => {
    const said = { message_id: "secret-1", role: "user", content: "my secret", metadata: { x: "secret" } };
    expect(redactPayload("message.created", said, redact)).toEqual({
      ...{ message_id: "secret-1", role: "user", content: "my [redacted]", metadata: { x: "[redacted]" } },
    });
    const plan = {
      iteration: 1,
      calls: [{ _tool: "secret.get", _id: "secret", to: "secret", _outputPath: "†state.a" }],
    };
    expect(redactPayload("plan.proposed", plan, redact)).toEqual({
      ...{ iteration: 1, calls: [{ _tool: "secret.get", _id: "secret", to: "[redacted]", _outputPath: "†state.a" }] },
    });
    const delta = [{ op: "add", path: "/secret", value: { a: "secret" } }];
    expect(redactPayload("memory.updated", { delta }, redact)).toEqual({
      delta: [{ op: "add", path: "/secret", value: { a: "[redacted]" } }],
    });
    expect(redactPayload("state.written", { path: "†state.secret", value: "secret" }, redact)).toEqual({
      ...{ path: "†state.secret", value: "[redacted]" },
    });
  });

  it("Security: returns the same payload if nothing is found", () => {
    const payload = { call_id: "a", tool: "t", params: { to: "x" } };
    expect(redactPayload("call.started", payload, (value) => value)).toBe(payload);
  });
});
