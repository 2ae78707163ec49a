import { describe, expect, test } from "vitest";
import { eachTime, type MakeSubject } from "./subject.ts";

/** The contract of `KeyStore`. */
export function keysContract(make: MakeSubject): void {
  describe("Keys", () => {
    const subject = eachTime(make);
    const keys = () => subject().storage.keys;
    const add = (name: string, expires_at: number | null = null) =>
      keys().add({
        ...{ name, token_hash: `hash of ${name}`, shown: "obl_abc", expires_at },
        ...{ scopes: ["ingest", "read"], created_by: "operator:anna" },
      });

    test("Security: a key is stored without its secret, and found by its hash only", async () => {
      const key = await add("billing", Date.parse("2030-01-31T00:00:00Z"));
      expect(key).toMatchObject({ name: "billing", shown: "obl_abc", scopes: ["ingest", "read"], used_at: null });
      expect([key.created_by, key.expires_at, key.revoked_at]).toEqual([
        ...["operator:anna", "2030-01-31T00:00:00.000Z", null],
      ]);
      await subject().reopen();
      expect(await keys().find("hash of billing")).toEqual(key);
      expect(await keys().get(key.id)).toEqual(key);
      expect([await keys().find("billing"), await keys().get("nobody")]).toEqual([null, null]);
      expect(JSON.stringify(await keys().list())).not.toContain("hash of");
    });

    test("Security: a name belongs to one key forever, so that the audit log identifies it", async () => {
      const { id } = await add("billing");
      await keys().revoke(id);
      await expect(add("billing")).rejects.toMatchObject({ code: "conflict" });
    });

    test("Security: a revoked key stays in the list, with the time", async () => {
      const key = await add("billing");
      await add("shop");
      const revoked = await keys().revoke(key.id);
      expect(revoked?.revoked_at).not.toBeNull();
      expect(await keys().revoke(key.id)).toEqual(revoked);
      expect(await keys().revoke("nobody")).toBeNull();
      expect((await keys().list()).map(({ name, revoked_at }) => [name, revoked_at])).toEqual([
        ["shop", null],
        ["billing", revoked?.revoked_at],
      ]);
    });

    test("Security: the last use of a key is stored", async () => {
      const { id, created_at } = await add("billing");
      await keys().used(id);
      const used = (await keys().get(id))?.used_at ?? "";
      expect(used >= created_at).toBe(true);
    });
  });
}
