import { describe, expect, test } from "vitest";
import { TakenOver } from "../../errors.ts";
import type { NewEvent } from "../../repositories.ts";
import { eachTime, type MakeSubject, newEvent, newEvents, newMessage } from "../subject.ts";
import { run } from "./asking.ts";

const ANNA = "operator:anna";
const by = (type: "taken_over" | "handed_back", id: string, more: Partial<NewEvent> = {}) => ({
  ...newEvent({ id, type: `conversation.${type}`, actor: ANNA, payload: {}, ...more }),
  conversation_id: more.conversation_id ?? "c",
});
/** A message of an agent of this server, and the start of a turn. */
const answer = (id: string, more: Partial<NewEvent> = {}) =>
  newMessage(id, "Hello", { role: "assistant", run_id: "r", ...more });
const turn = (id: string) => run(id, { payload: { answers: `message of ${id}` } });

/** The contract of `Log.changeTakeover`, and of `appendOwn` during a takeover (D11). */
export function takeoverContract(make: MakeSubject): void {
  describe("Hands", () => {
    const subject = eachTime(make);
    const log = () => subject().storage.log;
    const taken = async () => (await subject().storage.conversations.get("c"))?.taken_over;

    test("D11: a conversation is taken over once, with name and time, and handed back once", async () => {
      expect(await log().changeTakeover(by("taken_over", "none"))).toBeNull();
      await log().append(newEvents("c", 1));
      const outcomes = await Promise.all(["a", "b", "d"].map((id) => log().changeTakeover(by("taken_over", id))));
      expect(outcomes.map((outcome) => outcome?.changed)).toEqual([true, false, false]);
      expect(await taken()).toMatchObject({ by: ANNA, seq: 2 });
      expect(await log().changeTakeover(by("handed_back", "e"))).toEqual({ changed: true });
      expect(await log().changeTakeover(by("handed_back", "f"))).toEqual({ changed: false });
      expect(await taken()).toBeNull();
      expect(await subject().storage.conversations.get("c")).toMatchObject({ status: "idle", last_seq: 3 });
    });

    test("D11: during a takeover no agent of this server writes messages or starts turns in it", async () => {
      await log().appendOwn([turn("r"), answer("before")]);
      await log().changeTakeover(by("taken_over", "a"));
      const refused = { code: "taken_over", by: ANNA };
      await expect(log().appendOwn([newEvent({ id: "x", run_id: "r" }), answer("y")])).rejects.toBeInstanceOf(
        TakenOver,
      );
      await expect(log().appendOwn([newMessage("m", "Hi"), turn("s")])).rejects.toMatchObject(refused);
      expect((await subject().storage.events.list("c", { after: 0, limit: 9 })).map(({ id }) => id)).toEqual([
        "r",
        "before",
        "a",
      ]);
      // Events of runs that say nothing, users' messages, and messages of external agents are still recorded.
      await log().appendOwn([newEvent({ id: "x", run_id: "r" }), run("plan")]);
      await log().append([newMessage("m", "Hi"), answer("elsewhere", { run_id: null })]);
      await log().appendOwn([answer("other", { conversation_id: "d" })]);
      // Appending the same event again, as after a lost response, succeeds.
      expect((await log().appendOwn([answer("before")])).appended).toMatchObject([{ duplicate: true }]);
      await log().changeTakeover(by("handed_back", "z"));
      await log().appendOwn([answer("y"), turn("s")]);
    });

    test("D11: concurrent appends count in their order, and a rebuild restores the takeover", async () => {
      await log().appendOwn([turn("r")]);
      const outcomes = await Promise.allSettled([
        log().appendOwn([answer("first")]),
        log().changeTakeover(by("taken_over", "a")),
        log().appendOwn([answer("second")]),
        log().changeTakeover(by("handed_back", "b")),
        log().appendOwn([answer("third")]),
        log().changeTakeover(by("taken_over", "d")),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        ...["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"],
      ]);
      await subject().reopen();
      await expect(log().appendOwn([answer("fourth")])).rejects.toBeInstanceOf(TakenOver);
    });
  });
}
