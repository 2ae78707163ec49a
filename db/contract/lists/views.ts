import { describe, expect, test } from "vitest";
import { MOST_VIEWS } from "../../../lib/queue/list-view.ts";
import { eachTime, type MakeSubject } from "../subject.ts";

/** The contract of `ViewStore`. */
export function viewsContract(make: MakeSubject): void {
  describe("Views", () => {
    const subject = eachTime(make);
    const mine = { owner: "operator:anna", name: "Costly", query: "sort=cost", shared: false };

    test("people see their own views and those that are shared, by name", async () => {
      const { views } = subject().storage;
      const own = await views.add(mine);
      const shared = await views.add({ ...mine, owner: "operator:ben", name: "backlog", shared: true });
      await views.add({ ...mine, owner: "operator:ben", name: "Ben's" });
      await subject().reopen();
      const { storage } = subject();
      expect(await storage.views.list("operator:anna")).toEqual([shared, own]);
      expect(await storage.views.list("operator:cleo")).toEqual([shared]);
      expect(own).toMatchObject(mine);
    });

    test("a view is replaced and deleted", async () => {
      const { views } = subject().storage;
      const { id } = await views.add(mine);
      const changed = { name: "Slow", query: "sort=duration", shared: true };
      expect(await views.change(id, changed)).toMatchObject({ id, owner: mine.owner, ...changed });
      expect(await views.get(id)).toMatchObject(changed);
      expect([await views.remove(id), await views.remove(id)]).toEqual([true, false]);
      expect([await views.get(id), await views.change(id, changed)]).toEqual([null, null]);
    });

    test("a name is one's own only once, and nobody has more views than fit", async () => {
      const { views } = subject().storage;
      const first = await views.add(mine);
      await expect(views.add(mine)).rejects.toMatchObject({ code: "conflict" });
      expect(await views.add({ ...mine, owner: "operator:ben" })).toMatchObject({ name: "Costly" });
      const second = await views.add({ ...mine, name: "Slow" });
      await expect(views.change(second.id, { ...mine, name: "Costly" })).rejects.toMatchObject({ code: "conflict" });
      expect(await views.change(first.id, { ...mine, query: "" })).toMatchObject({ query: "" });
      for (let number = 2; number < MOST_VIEWS; number += 1) await views.add({ ...mine, name: `v${number}` });
      await expect(views.add({ ...mine, name: "more" })).rejects.toMatchObject({ code: "conflict" });
    });
  });
}
