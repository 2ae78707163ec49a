import { describe, expect, it } from "vitest";
import { ApiProblem, Unreachable } from "@/components/client/api.ts";
import { Outbox, type Outgoing } from "./outbox.ts";

const message = (id: string, conversationId = "c"): Outgoing => ({
  id,
  conversationId,
  content: `Text of ${id}`,
  userId: null,
  recorded: false,
});

/** A fake session storage. */
function storageOf(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** A fake server that answers each post on demand. */
function slowServer() {
  const posted: string[] = [];
  const open: { answer: () => void; refuse: (error: Error) => void }[] = [];
  const post = ({ id }: Outgoing) => {
    posted.push(id);
    return new Promise<void>((answer, refuse) => open.push({ answer, refuse }));
  };
  return { posted, open, post };
}

const settled = () => new Promise((done) => setImmediate(done));

describe("C12: no message is lost", () => {
  it("shows a message at once, and removes it when the log has it", async () => {
    const { open, post } = slowServer();
    const outbox = new Outbox(storageOf, post);
    void outbox.send(message("a"));
    expect(outbox.of("c")).toMatchObject([{ id: "a", state: "sending" }]);
    await settled();
    open[0]?.answer();
    await settled();
    expect(outbox.of("c")).toMatchObject([{ id: "a", state: "sent" }]);
    outbox.settle("c", new Set(["a"]));
    expect(outbox.of("c")).toEqual([]);
  });

  it("posts the messages of a conversation in order, also after a failure", async () => {
    const { posted, open, post } = slowServer();
    const outbox = new Outbox(storageOf, post);
    void outbox.send(message("a"));
    void outbox.send(message("b"));
    void outbox.send(message("x", "elsewhere"));
    await settled();
    expect(posted).toEqual(["a", "x"]);
    open[0]?.refuse(new Unreachable("gone"));
    await settled();
    expect(posted).toEqual(["a", "x", "b"]);
    expect(outbox.of("c")).toMatchObject([{ state: { kind: "unreachable" } }, { state: "sending" }]);
  });

  it("sends again under the same id, so that the message is stored once", async () => {
    const { posted, open, post } = slowServer();
    const outbox = new Outbox(storageOf, post);
    void outbox.send(message("a"));
    await settled();
    open[0]?.refuse(new Unreachable("gone"));
    await settled();
    const [failed] = outbox.of("c");
    if (failed) void outbox.sendAgain(failed);
    await settled();
    expect(posted).toEqual(["a", "a"]);
    expect(outbox.of("c")).toMatchObject([{ id: "a", state: "sending" }]);
  });

  it("keeps the server's message when it refuses; a server error does not count as a refusal", async () => {
    const problem = (status: number) => new ApiProblem({ status, code: "x", detail: "It is too long", errors: [] });
    const { open, post } = slowServer();
    const outbox = new Outbox(storageOf, post);
    void outbox.send(message("a"));
    void outbox.send(message("b"));
    await settled();
    open[0]?.refuse(problem(413));
    await settled();
    open[1]?.refuse(problem(503));
    await settled();
    expect(outbox.of("c").map(({ state }) => state)).toEqual([
      { kind: "refused", message: "It is too long" },
      { kind: "unreachable" },
    ]);
  });

  it("restores messages of an earlier page: one that was being sent may have arrived, and is sent again by its id", async () => {
    const storage = storageOf();
    const before = slowServer();
    const earlier = new Outbox(() => storage, before.post);
    void earlier.send(message("a"));
    await settled();
    before.open[0]?.answer();
    await settled();
    void earlier.send(message("b"));

    const later = new Outbox(() => storage, slowServer().post);
    expect(later.of("c")).toMatchObject([{ id: "b", content: "Text of b", state: { kind: "interrupted" } }]);
    const [left] = later.of("c");
    if (left) later.drop(left);
    expect(new Outbox(() => storage, slowServer().post).of("c")).toEqual([]);
  });

  it("notifies listeners only of changes: equal messages are the same array", async () => {
    const { post } = slowServer();
    const outbox = new Outbox(storageOf, post);
    let heard = 0;
    const stop = outbox.subscribe(() => {
      heard += 1;
    });
    expect(outbox.of("c")).toBe(outbox.of("c"));
    outbox.settle("c", new Set(["unknown"]));
    expect(heard).toBe(0);
    void outbox.send(message("a"));
    expect(heard).toBe(1);
    stop();
    outbox.settle("c", new Set(["a"]));
    expect(heard).toBe(1);
  });
});
