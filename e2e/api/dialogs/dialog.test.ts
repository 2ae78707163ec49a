import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ENDS, until } from "../setup/crm-talk.ts";
import { withServer } from "../setup/server.ts";

// The bundled agents and scripted model.
const server = withServer();

/** A conversation with the default agent. */
async function begin({ agent_id }: { agent_id?: string } = {}) {
  const id = randomUUID();
  const about = { id, user_id: `user-of-${id}`, channel: "web", ...(agent_id !== undefined && { agent_id }) };
  expect((await server.post("/api/conversations", about)).status).toBe(201);
  const here = `/api/conversations/${id}`;
  const events = async () => (await server.get(`${here}/events?limit=1000`)).body.items;
  return {
    id,
    events,
    /** Sends a message and waits for the run: its id, its messages, and its nodes. */
    async turn(content: string) {
      const { status, body } = await server.post(`${here}/messages`, { content });
      expect([status, body.detail]).toEqual([202, undefined]);
      await until(server, { conversation_id: id, run_id: body.run_id }, ENDS);
      const all = await events();
      // biome-ignore lint/suspicious/noExplicitAny: events are looked at field by field.
      const own = all.filter((event: any) => event.run_id === body.run_id);
      // biome-ignore lint/suspicious/noExplicitAny: see above.
      const of = (type: string) => own.filter((event: any) => event.type === type).map((event: any) => event.payload);
      const answers = of("message.created").map(({ content }: { content: string }) => content);
      return {
        run_id: body.run_id,
        answers,
        nodes: of("stage.entered").map(({ node }: { node: string }) => node),
        of,
      };
    },
    /** The shown stage, and the stored one. */
    async stages() {
      const [shown, kept] = await Promise.all([
        server.get(here),
        server.get(`/api/agent-state/dialog:${id}/stage`).then(({ body }) => body),
      ]);
      return [shown.body.stage, kept];
    },
    kept: async (key: string) => server.get(`/api/agent-state/dialog:${id}/${key}`),
    put: (key: string, value: unknown) => server.send("PUT", `/api/agent-state/dialog:${id}/${key}`, value),
  };
}

describe("D1-D5: a dialog passes through its stages", () => {
  it("from the administrator to a demonstration of the user's business, and back by «стоп»", async () => {
    const talk = await begin();
    const asked = await talk.turn("Сколько стоит ассистент?");
    expect(asked.nodes).toEqual(["detect_stage", "handle_admin", "END"]);
    expect(asked.answers).toHaveLength(1);
    expect(await talk.stages()).toEqual(["admin", "admin"]);

    const shown = await talk.turn("Покажи демонстрацию");
    expect(shown.nodes).toEqual(["detect_stage", "handle_admin", "handle_demo", "END"]);
    expect(shown.answers).toEqual([expect.stringMatching(/\?/)]);
    expect(shown.answers[0]).not.toContain("{");
    expect(await talk.stages()).toEqual(["demo_setup", "demo_setup"]);

    const named = await talk.turn("У меня цветочный магазин");
    expect(named.nodes).toEqual(["detect_stage", "handle_demo_setup", "END"]);
    const { body: configuration } = await talk.kept("configuration");
    expect(named.answers).toEqual([`[Демонстрация] ${configuration.welcome_message}`]);
    expect(await talk.stages()).toEqual(["demo", "demo"]);

    const played = await talk.turn("Сколько стоит букет?");
    expect(played.nodes).toEqual(["detect_stage", "handle_demo", "END"]);
    expect(played.answers).toEqual([expect.stringMatching(/^\[Демонстрация\] /)]);

    const stopped = await talk.turn("Стоп!");
    expect(stopped.nodes).toEqual(["detect_stage", "handle_admin", "END"]);
    expect(stopped.answers).toEqual([expect.not.stringContaining("[Демонстрация]")]);
    expect(await talk.stages()).toEqual(["admin", "admin"]);
    expect((await talk.kept("configuration")).body).toEqual(configuration);

    const turns = [asked, shown, named, played, stopped];
    expect(new Set(turns.map(({ run_id }) => run_id)).size).toBe(5);
    for (const { of } of turns) expect([of("run.started").length, of("run.finished").length]).toEqual([1, 1]);
    const speakers = shown
      .of("run.iteration")
      .flatMap(({ speaker }: { speaker?: { agent_id: string } }) => speaker ?? []);
    expect(speakers.map(({ agent_id }: { agent_id: string }) => agent_id)).toEqual(["admin", "demo_setup"]);
  });

  it("D3: the end of a turn has the conversation state", async () => {
    const talk = await begin();
    const { of, answers } = await talk.turn("Привет");
    const last = of("stage.entered").at(-1);
    expect(last).toMatchObject({
      node: "END",
      state: { message: "Привет", chat_id: talk.id, stage: "admin", agent_name: "admin", answer: answers[0] },
    });
    expect(last.state.response_id).toMatch(/./);
  });

  it("D2: invalid values written by an operator are ignored, valid ones count from the next turn", async () => {
    const talk = await begin();
    expect((await talk.put("stage", "nonsense")).status).toBe(201);
    expect((await talk.put("configuration", [1])).status).toBe(201);
    expect((await talk.turn("Привет")).nodes).toEqual(["detect_stage", "handle_admin", "END"]);
    expect(await talk.stages()).toEqual(["admin", "admin"]);
    const persona = {
      niche: "пекарня",
      company_name: "Крошка",
      persona_instruction: "{{userId}}",
      welcome_message: "Ах!",
    };
    expect((await talk.put("configuration", persona)).status).toBe(200);
    expect((await talk.put("stage", "demo")).status).toBe(200);
    const { nodes, of } = await talk.turn("Что у вас есть?");
    expect(nodes).toEqual(["detect_stage", "handle_demo", "END"]);
    // D4: values of a configuration are not templates.
    expect(of("prompt.rendered")[0].prompt).toContain("\n{{userId}}\n");
    expect(await talk.stages()).toEqual(["demo", "demo"]);
  });

  it("D12: a changed agent counts from the next turn", async () => {
    const talk = await begin();
    await talk.turn("Привет");
    const { id: _, version: __, source: ___, ...admin } = (await server.get("/api/agents/admin")).body;
    const written = await server.send("PUT", "/api/agents/admin", { ...admin, prefix: { en: "", ru: "Админ: " } });
    expect([written.status, written.body.stage]).toEqual([200, "admin"]);
    expect((await talk.turn("Привет")).answers).toEqual([expect.stringMatching(/^Админ: /)]);
    expect((await server.send("PUT", "/api/agents/admin", admin)).status).toBe(200);
  });

  it("D4: a stage without an agent fails the turn with a message, and «стоп» leaves the stage", async () => {
    const talk = await begin();
    const configuration = { niche: "n", company_name: "c", persona_instruction: "p", welcome_message: "w" };
    for (const [key, value] of Object.entries({ stage: "demo", configuration }))
      expect((await talk.put(key, value)).status).toBe(201);
    const { id: _, version: __, source: ___, ...demo } = (await server.get("/api/agents/demo")).body;
    expect((await server.send("PUT", "/api/agents/demo", { ...demo, stage: null })).status).toBe(200);
    const { answers, of } = await talk.turn("Что у вас есть?");
    expect(answers).toEqual([expect.stringMatching(/^Не получилось довести это до конца\. .*разговор.*«стоп»\.$/)]);
    const message = expect.stringContaining("no agent has the stage demo");
    expect(of("run.failed")).toMatchObject([{ error: { code: "dialog_failed", message } }]);
    expect((await talk.turn("стоп")).nodes).toEqual(["detect_stage", "handle_admin", "END"]);
    expect((await server.send("PUT", "/api/agents/demo", demo)).status).toBe(200);
  });

  it("D4: an agent without a stage answers alone, and no node is recorded", async () => {
    const talk = await begin({ agent_id: "crm" });
    const { nodes, answers } = await talk.turn("покажи сделку 123");
    expect([nodes, answers.length]).toEqual([[], 1]);
    expect((await talk.kept("stage")).status).toBe(404);
  });
});

describe("D1: the main graph is returned", () => {
  it("with its nodes and edges", async () => {
    const { status, body } = await server.get("/api/dialog/graph");
    expect(status).toBe(200);
    expect(body.nodes.map(({ id }: { id: string }) => id)).toContain("handle_demo_setup");
    expect(body.edges).toContainEqual({ from: "handle_admin", to: "handle_demo", conditional: true, label: "demo" });
    expect(body.edges).toContainEqual({ from: "START", to: "detect_stage", conditional: false, label: null });
  });
});
