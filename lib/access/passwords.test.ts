import { expect, test } from "vitest";
import { createPasswords } from "./passwords.ts";
import { nameFault, passwordFault } from "./rules.ts";

const passwords = createPasswords();

test("Security: passwords are hashed with argon2id as OWASP recommends, with a salt each", async () => {
  const [one, other] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect([
    await passwords.verify("correct horse", one ?? ""),
    await passwords.verify("correct hors", one ?? ""),
  ]).toEqual([...[true, false]]);
});

test("Security: passwords are compared independent of Unicode normalization", async () => {
  expect(await passwords.verify("пароль с й", await passwords.hash("пароль с й".normalize("NFD")))).toBe(true);
});

test("Security: an unknown user takes as long as a wrong password", async () => {
  const hash = await passwords.hash("correct horse");
  const quickest = async (of: string | null) => {
    const took = [];
    for (let n = 0; n < 5; n++) {
      const began = performance.now();
      expect(await passwords.verify("wrong horse", of)).toBe(false);
      took.push(performance.now() - began);
    }
    return Math.min(...took);
  };
  // Without hashing it is a thousandth; a busy machine may halve or double either.
  expect((await quickest(null)) / (await quickest(hash))).toBeGreaterThan(0.1);
});

test("Security: passwords have 10 to 200 characters, and names do not conflict with the audit log's actors", () => {
  expect(["a".repeat(9), "a".repeat(201)].map(passwordFault)).toEqual([expect.any(String), expect.any(String)]);
  expect(["a".repeat(10), "a".repeat(200)].map(passwordFault)).toEqual([null, null]);
  expect(["anna", "Анна К", "anna@example.org", "a"].map(nameFault)).toEqual([null, null, null, null]);
  for (const wrong of ["", " anna", "anna ", "a\nb", "<b>", "console", "Command-Line", "a".repeat(65)])
    expect(nameFault(wrong)).not.toBeNull();
});
