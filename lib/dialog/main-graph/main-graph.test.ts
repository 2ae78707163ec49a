import { afterEach, describe, expect, it, vi } from "vitest";
import { agentIn } from "../testing/directed-turns.ts";
import { createMainGraph } from "./main-graph.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("D1: the main graph", () => {
  it("is drawn with its nodes and conditional edges", async () => {
    const { nodes, edges } = await createMainGraph().draw();
    expect(nodes.map(({ id }) => id)).toEqual([
      ...["START", "detect_stage", "handle_admin", "handle_demo", "handle_demo_setup", "END"],
    ]);
    const ways = edges.map(({ from, to, conditional, label }) => `${from} ${conditional ? "?" : "→"} ${to} ${label}`);
    expect(ways.sort()).toEqual(
      [
        "START → detect_stage null",
        "detect_stage ? handle_admin admin",
        "detect_stage ? handle_demo demo",
        "detect_stage ? handle_demo_setup demo_setup",
        "handle_admin ? handle_demo demo",
        "handle_admin ? END end",
        "handle_demo → END null",
        "handle_demo_setup → END null",
      ].sort(),
    );
  });

  it("sends no traces, whatever LangChain's variables say", async () => {
    const traced = ["LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2"];
    for (const name of [...traced, "LANGCHAIN_VERBOSE"]) vi.stubEnv(name, "true");
    vi.stubEnv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9");
    vi.stubEnv("LANGSMITH_API_KEY", "key");
    // Traces would be sent before the graph has run.
    vi.stubEnv("LANGCHAIN_CALLBACKS_BACKGROUND", "false");
    const sent = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("Nobody is to be told"));
    const written = (["log", "info", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    const turn = { conversation_id: "c", locale: "en" as const, told: [], parts: [] };
    const { id, prefix } = agentIn("admin");
    const state = { message: "Hi", previous_response_id: null, chat_id: "c", stage: null, extracted_info: null };
    const said = { answer: "", manager_alert: null, agent_name: null, used_tools: [], response_id: null };
    const { asked } = await createMainGraph().run({
      ...{ turn, agents: [{ id, prefix, stage: "admin" }], standing: { stage: null, shown: null } },
      state: { ...state, ...said },
    });
    expect(asked).not.toBeNull();
    for (const told of [sent, ...written]) expect(told).not.toHaveBeenCalled();
  });
});
