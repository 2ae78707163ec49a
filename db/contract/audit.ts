import { describe, expect, test } from "vitest";
import type { AuditAction } from "../../lib/access/audit.ts";
import type { Requester } from "../../lib/access/caller.ts";
import type { AuditQuery } from "../access.ts";
import { BadCursor } from "../errors.ts";
import { eachTime, type MakeSubject } from "./subject.ts";

const person = (name: string): Requester => ({
  caller: { kind: "person", id: name, name, role: "operator" },
  address: "192.0.2.7",
  request_id: `request-of-${name}`,
});
const billing: Requester = {
  ...person("nobody"),
  caller: { kind: "key", id: "k", name: "billing", scopes: ["decide"] },
};

/** The contract of `AuditStore`. */
export function auditContract(make: MakeSubject): void {
  describe("AuditStore", () => {
    const subject = eachTime(make);
    const list = (query: Partial<AuditQuery> = {}) => subject().storage.audit.list({ limit: 50, ...query });
    const targets = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ target }) => target);
    const write = (action: AuditAction, target: string | null, requester = person("anna")) =>
      subject().storage.audit.append({ action, target }, requester);

    test("Security: an entry has actor, action, address, request, and the values before and after", async () => {
      const action = { action: "user.changed", target: "user:b", before: { role: "viewer" }, after: { role: "admin" } };
      await subject().storage.audit.append({ ...action, action: "user.changed" }, person("anna"));
      await write("conversations.exported", null, billing);
      expect((await list()).items).toEqual([
        {
          ...{ id: 2, at: expect.any(String), action: "conversations.exported", actor: "key:billing", target: null },
          ...{ address: "192.0.2.7", request_id: "request-of-nobody", before: null, after: null, erased: false },
        },
        {
          ...{ ...action, id: 1, at: expect.stringMatching(/^\d{4}-.*Z$/), actor: "operator:anna", erased: false },
          ...{ address: "192.0.2.7", request_id: "request-of-anna" },
        },
      ]);
    });

    test("Security: entries survive a restart", async () => {
      await write("signed_in", "user:anna");
      await subject().reopen();
      expect(targets(await list())).toEqual(["user:anna"]);
    });

    test("Security: the list is filtered by actor, action, target and time, in combination", async () => {
      await write("fork.run", "run:1");
      await write("fork.run", "run:2", billing);
      await write("plan.run", "run:2", billing);
      const [newest] = (await list()).items;
      const at = newest?.at ?? "";
      expect(targets(await list({ action: "fork.run" }))).toEqual(["run:2", "run:1"]);
      expect(targets(await list({ actor: "key:billing", action: "fork.run" }))).toEqual(["run:2"]);
      expect((await list({ target: "run:2" })).items).toHaveLength(2);
      expect((await list({ to: "2000-01-01T00:00:00.000Z" })).items).toEqual([]);
      expect(targets(await list({ from: at }))).toContain("run:2");
      expect(targets(await list({ to: at }))).not.toContain(newest?.id);
      expect(await subject().storage.audit.actors()).toEqual(["key:billing", "operator:anna"]);
    });

    test("E11: the list is paged in both directions, and only accepts its own cursors", async () => {
      for (const n of [0, 1, 2, 3, 4]) await write("run.cancelled", `run:${n}`);
      const first = await list({ limit: 2 });
      expect([targets(first), first.prev]).toEqual([["run:4", "run:3"], null]);
      await write("run.cancelled", "run:later");
      const second = await list({ limit: 2, cursor: first.next ?? "" });
      expect(targets(second)).toEqual(["run:2", "run:1"]);
      const last = await list({ limit: 2, cursor: second.next ?? "" });
      expect([targets(last), last.next]).toEqual([["run:0"], null]);
      expect(targets(await list({ limit: 2, cursor: second.prev ?? "" }))).toEqual(["run:4", "run:3"]);
      await expect(list({ cursor: "nonsense" })).rejects.toBeInstanceOf(BadCursor);
    });
  });
}
