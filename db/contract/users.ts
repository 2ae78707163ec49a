import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import type { Role } from "../../lib/access/caller.ts";
import { eachTime, type MakeSubject } from "./subject.ts";

/** The contract of `UserStore` and `SignInStore`: losing permissions ends all sign-ins in the same transaction. */
export function usersContract(make: MakeSubject): void {
  describe("Users and sign-ins", () => {
    const subject = eachTime(make);
    const users = () => subject().storage.users;
    const signIns = () => subject().storage.signIns;
    const add = (name: string, role: Role = "admin") => users().add({ name, role, password_hash: `hash of ${name}` });
    const signIn = async (user: { id: string; name: string }, more: { address?: string; expires_at?: number } = {}) => {
      const token_hash = randomUUID();
      const expires_at = Date.now() + 60_000;
      const place = { address: "192.0.2.1", user_agent: null };
      await signIns().add({
        token_hash,
        user_id: user.id,
        proven: `hash of ${user.name}`,
        expires_at,
        ...place,
        ...more,
      });
      return token_hash;
    };
    const isIn = async (tokenHash: string) => (await signIns().find(tokenHash)) !== null;

    test("Security: users are found by name, ignoring case, and returned without passwords", async () => {
      const anna = await add("Анна");
      expect(anna).toMatchObject({ name: "Анна", role: "admin", signs_in: "here", seen_at: null });
      await subject().reopen();
      expect(await users().list()).toEqual([anna]);
      expect(await users().named("аННА")).toEqual({ user: anna, password_hash: "hash of Анна" });
      expect(await users().named("Анн")).toBeNull();
      expect([await users().get(anna.id), await users().get("nobody"), await users().count()]).toEqual([anna, null, 1]);
    });

    test("Security: names are unique, ignoring case, also when added concurrently", async () => {
      const outcomes = await Promise.allSettled([add("anna"), add("ANNA"), add("Anna")]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
      await expect(add("anna")).rejects.toMatchObject({ code: "conflict" });
    });

    test("Security: changing a role or deleting a user ends all of their sign-ins, and no others", async () => {
      const [anna, bob, carl] = [await add("anna"), await add("bob"), await add("carl")];
      const tokens = [await signIn(anna), await signIn(anna), await signIn(bob), await signIn(carl)];
      expect(await users().setRole(bob.id, "viewer")).toMatchObject({ before: "admin", user: { role: "viewer" } });
      await users().remove(anna.id);
      expect(await Promise.all(tokens.map(isIn))).toEqual([false, false, false, true]);
      expect(await users().setRole("nobody", "viewer")).toBeNull();
      expect(await users().remove(anna.id)).toBeNull();
    });

    test("Security: setting the same role ends no sign-in", async () => {
      const anna = await add("anna");
      const token = await signIn(anna);
      expect(await users().setRole(anna.id, "admin")).toMatchObject({ before: "admin" });
      expect(await isIn(token)).toBe(true);
    });

    test("Security: changing a password ends all sign-ins except one", async () => {
      const anna = await add("anna");
      const [own, other] = [await signIn(anna), await signIn(anna)];
      await users().setPassword(anna.id, "another", own);
      expect([await isIn(own), await isIn(other)]).toEqual([true, false]);
      await users().setPassword(anna.id, "a third");
      expect(await isIn(own)).toBe(false);
      expect((await users().named("anna"))?.password_hash).toBe("a third");
    });

    test("Security: a sign-in fails if the password was changed, or the user deleted, meanwhile", async () => {
      const [anna, bob] = [await add("anna"), await add("bob")];
      await users().setPassword(anna.id, "another");
      await expect(signIn(anna)).rejects.toMatchObject({ code: "conflict" });
      await users().remove(bob.id);
      await expect(signIn(bob)).rejects.toMatchObject({ code: "conflict" });
    });

    test("Security: the last administrator cannot be removed, also concurrently", async () => {
      const [anna, bob] = [await add("anna"), await add("bob")];
      await add("carl", "operator");
      const outcomes = await Promise.allSettled([users().remove(anna.id), users().setRole(bob.id, "viewer")]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect((await users().list()).filter(({ role }) => role === "admin")).toHaveLength(1);
    });

    test("Security: a user of a provider is identified by subject, with the provider's role", async () => {
      const come = (subjectName: string, name: string, role: Role) =>
        users().fromElsewhere({ subject: subjectName, name, role });
      await add("anna");
      const first = await come("issuer|1", "Anna", "operator");
      expect(first).toMatchObject({ before: null, user: { name: "Anna 2", role: "operator", signs_in: "elsewhere" } });
      const token = randomUUID();
      const { id } = first.user;
      const place = { address: "", user_agent: null };
      await signIns().add({ token_hash: token, user_id: id, proven: null, expires_at: Date.now() + 9_000, ...place });
      expect(await come("issuer|1", "Anna", "operator")).toMatchObject({ before: "operator", user: { id } });
      expect(await isIn(token)).toBe(true);
      expect(await come("issuer|1", "Anna", "viewer")).toMatchObject({
        before: "operator",
        user: { id, role: "viewer" },
      });
      expect(await isIn(token)).toBe(false);
      await expect(users().setPassword(id, "own")).rejects.toMatchObject({ code: "conflict" });
      expect((await come("issuer|2", "anna", "viewer")).user.name).toBe("anna 3");
    });

    test("Security: a sign-in is found by its token, stores its last use, and ends", async () => {
      const anna = await add("anna", "operator");
      const token = await signIn(anna);
      expect(await signIns().find(token)).toMatchObject({ user_id: anna.id, name: "anna", role: "operator" });
      expect(await signIns().find("another")).toBeNull();
      expect([await signIns().knows(anna.id, "192.0.2.1"), await signIns().knows(anna.id, "192.0.2.2")]).toEqual([
        ...[true, false],
      ]);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_000 });
      try {
        await signIns().seen(token);
        expect((await signIns().find(token))?.seen_at).toBe(Date.now());
        expect((await users().list())[0]?.seen_at).toBe(new Date().toISOString());
      } finally {
        vi.useRealTimers();
      }
      await signIns().end(token);
      expect(await isIn(token)).toBe(false);
    });

    test("Security: expired sign-ins are deleted at the next sign-in", async () => {
      const anna = await add("anna");
      const old = await signIn(anna, { expires_at: Date.now() - 1 });
      expect(await isIn(old)).toBe(true);
      await signIn(anna);
      expect(await isIn(old)).toBe(false);
    });
  });
}
