import { describe, expect, it } from "vitest";
import { newEvent } from "../intake/new-event.ts";
import { stored } from "../intake/testing/stored.ts";
import type { SessionEvent } from "../session/event.ts";
import { caseIdOf } from "./case-id.ts";
import { type CaseText, type DoneCase, doCaseWork } from "./case-work.ts";

const ID = "anna@example.com";

function session(answer: string): SessionEvent[] {
  const said = (["user", "assistant"] as const).map((role) =>
    newEvent(
      "message.created",
      { message_id: role, role, content: role === "user" ? "Hello" : answer },
      { id: role, conversation_id: ID, actor: role },
    ),
  );
  const call = { call_id: "c", tool: "find" };
  const about = { conversation_id: ID, actor: "agent", run_id: "r" };
  const started = newEvent("call.started", { ...call, params: {} }, { ...about, id: "s" });
  const ended = newEvent("call.succeeded", { ...call, output: 1 }, { ...about, id: "e" });
  return stored([...said.slice(0, 1), started, ended, ...said.slice(1)]);
}

const saving = {
  ...{ id: caseIdOf(ID, 0), title: "A case", tags: [], conversation_id: ID, seq: 0, expected: null },
};

function save(isFile: boolean, answer = "Hi\nthere"): Promise<DoneCase> {
  const events = session(answer);
  return doCaseWork({ is: "save", isFile, saving }, (_, { after, limit }) =>
    events.filter(({ seq }) => seq > after).slice(0, limit),
  );
}

function caseOf(done: DoneCase): CaseText {
  if (!done.ok) throw new Error(done.reason);
  return done.case;
}

describe("a case as text", () => {
  it("has the id of its session's case where it is stored, also if that is an address", async () => {
    const made = caseOf(await save(false));
    expect(made).toMatchObject({ id: "anna@example.com:0", title: "A case", calls: 1, tools: ["find"] });
    expect(JSON.parse(made.content)).toMatchObject({ id: made.id, source: { conversation_id: "[redacted:email]" } });
  });

  it("is printed as a field of a file, where its id is redacted", async () => {
    const { content, id } = caseOf(await save(true));
    expect(id).not.toContain("anna");
    expect(`{\n  "cases": ${content}\n}`).toBe(JSON.stringify({ cases: JSON.parse(content) }, null, 2));
    expect(JSON.parse(content)).toMatchObject([{ id, turns: [{ steps: [{}, { content: "Hi\nthere" }] }] }]);
  });

  it("names all whose session it is", async () => {
    const about = (id: string, actor: string | null = null) => ({ id, actor, conversation_id: ID });
    const events = stored([
      newEvent("conversation.created", { user_id: "anna" }, about("1")),
      newEvent("run.started", { user_id: "boris" }, about("2", "agent:x")),
      newEvent("message.created", { message_id: "m", role: "user", content: "Hi" }, about("3", "user:carl")),
      newEvent("message.created", { message_id: "n", role: "assistant", content: "Hi" }, about("4", "user:anna")),
    ]);
    const read = (_: string, { after }: { after: number }) => events.filter(({ seq }) => seq > after);
    expect(caseOf(await doCaseWork({ is: "save", isFile: false, saving }, read)).users).toEqual([
      ...["anna", "boris", "carl"],
    ]);
  });

  it("is changed in what is given", async () => {
    const { content, users: _, ...row } = caseOf(await save(false));
    const fields = { title: "Another", tags: ["new"] };
    const changed = caseOf(await doCaseWork({ is: "change", content, fields }, () => []));
    expect(changed).toMatchObject({ ...row, ...fields });
    expect(JSON.parse(changed.content)).toEqual({ ...JSON.parse(content), ...fields });
  });

  it("is refused if its session is too large", async () => {
    expect(await save(false, "long ".repeat(4_100_000))).toMatchObject({ ok: false });
  });
});
