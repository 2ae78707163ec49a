import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { evaluationOf } from "./gen-ai-evaluation.ts";

const read = (attributes: JsonObject, name = "gen_ai.evaluation.result") =>
  evaluationOf({ name, time: 0n, attributes });

describe("E15: evaluations of OpenTelemetry", () => {
  it("have a number, whose label begins the comment", () => {
    const attributes = {
      "gen_ai.evaluation.name": "Relevance",
      "gen_ai.evaluation.score.value": 4,
      "gen_ai.evaluation.score.label": "relevant",
      "gen_ai.evaluation.explanation": "It answers the question.",
      "gen_ai.conversation.id": "c-1",
    };
    expect(read(attributes)).toEqual({
      conversation_id: "c-1",
      score: { name: "Relevance", value: 4, comment: "relevant: It answers the question." },
    });
    expect(read({ ...attributes, "gen_ai.evaluation.score.value": "0.5" })?.score.value).toBe(0.5);
  });

  it("without a number have the label as a category", () => {
    const score = { name: "toxicity", value: "pass", comment: null };
    expect(read({ "gen_ai.evaluation.name": "toxicity", "gen_ai.evaluation.score.label": "pass" })).toEqual({
      conversation_id: null,
      score,
    });
  });

  it("without a name or a result are none, and neither are other events", () => {
    expect(read({ "gen_ai.evaluation.name": "x", "error.type": "timeout" })).toBeNull();
    expect(read({ "gen_ai.evaluation.score.value": 1 })).toBeNull();
    expect(read({ "gen_ai.evaluation.name": "x", "gen_ai.evaluation.score.value": 1 }, "gen_ai.choice")).toBeNull();
  });
});
