import { z } from "zod";
import type { Refusal } from "../../../access/access.ts";
import { may, PERMISSIONS, ROLES, SCOPES } from "../../../access/caller.ts";
import { nameFault, passwordFault } from "../../../access/rules.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { invalidInput } from "../../sentences.ts";

/** A valid name of a user or a key. */
export const accessName = ruled(nameFault);

/** A valid new password. */
export const newPassword = ruled(passwordFault);

/** A password that is checked: errors say nothing about the rules. */
const triedPassword = z.string().min(1, "must not be empty").max(1_000, "must have at most 1000 characters");

const tooMany = refusal("Too many attempts; `Retry-After` says how long to wait.");

/** Signs a user in. */
export const signIn = operation({
  name: "signIn",
  permission: "public",
  method: "POST",
  path: "/api/sign-in",
  summary: "Signs a person in and sets the session cookie.",
  body: jsonBody(
    z.strictObject({ name: z.string().max(200, "must have at most 200 characters"), password: triedPassword }),
  ),
  answers: {
    200: { description: "Signed in.", schema: z.object({ name: z.string(), role: z.enum(ROLES) }) },
    401: refusal("Wrong name or password."),
    409: refusal("Sign-in is off."),
    429: tooMany,
  },
  async run({ body, requester, headers, audit }, { access, audit: store }) {
    if (!access.required) throw new Problem("conflict", "Sign-in is off; set OBELUS_AUTH=1 to turn it on.");
    const outcome = await access.signIn(body, { requester, userAgent: headers.get("user-agent") });
    if (outcome.kind !== "signed_in") {
      if (outcome.kind === "refused")
        await audit({ action: "sign_in_refused", target: outcome.known === null ? null : `user:${outcome.known}` });
      throw refusalOf(outcome, "Wrong name or password.");
    }
    const { caller, cookie } = outcome;
    const { name, role } = caller;
    await store.append(
      { action: "signed_in", target: `user:${name}`, after: { with: "password" } },
      { ...requester, caller },
    );
    return answerJson({ name, role }, 200, { "set-cookie": cookie });
  },
});

/** Signs the caller out in this browser. */
export const signOut = operation({
  name: "signOut",
  permission: "public",
  method: "POST",
  path: "/api/sign-out",
  summary: "Signs out the current browser, if signed in.",
  answers: { 204: { description: "Signed out." } },
  async run({ requester, audit }, { access }) {
    const cookie = await access.signOut(requester);
    const { caller } = requester;
    if (caller.kind === "person") await audit({ action: "signed_out", target: `user:${caller.name}` });
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  },
});

/** Returns the caller. */
export const getMe = operation({
  name: "getMe",
  permission: "known",
  method: "GET",
  path: "/api/me",
  summary: "Returns the caller and their permissions.",
  answers: {
    200: {
      description: "The caller; `everybody` when sign-in is off.",
      schema: z.object({
        kind: z.enum(["everybody", "person", "key"]),
        name: z.string().nullable(),
        role: z.enum(ROLES).optional(),
        scopes: z.array(z.enum(SCOPES)).optional(),
        signs_in: z
          .enum(["here", "elsewhere"])
          .optional()
          .describe("Where the person signs in: here or with the provider."),
        permissions: z.array(z.enum(PERMISSIONS)),
      }),
    },
  },
  async run({ requester: { caller } }, { users }) {
    const { kind } = caller;
    const permissions = PERMISSIONS.filter((each) => may(caller, each));
    switch (kind) {
      case "person": {
        const { name, role } = caller;
        return answerJson({ kind, name, role, signs_in: (await users.get(caller.id))?.signs_in, permissions });
      }
      case "key":
        return answerJson({ kind, name: caller.name, scopes: caller.scopes, permissions });
      case "everybody":
      case "nobody":
        return answerJson({ kind, name: null, permissions });
      default:
        return caller satisfies never;
    }
  },
});

/** Changes the caller's password. */
export const putMyPassword = operation({
  name: "putMyPassword",
  permission: "known",
  method: "PUT",
  path: "/api/me/password",
  summary: "Changes the caller's password and signs out their other browsers.",
  body: jsonBody(z.strictObject({ current: triedPassword, password: newPassword })),
  answers: {
    204: { description: "The password was changed." },
    400: refusal("`current` is wrong."),
    409: refusal("The caller signs in with OpenID Connect."),
    429: tooMany,
  },
  async run({ body, requester, audit }, { access, users }) {
    const { caller } = requester;
    if (caller.kind !== "person")
      throw new Problem("forbidden", "Only signed-in people have a password; sign in first.");
    if ((await users.get(caller.id))?.signs_in === "elsewhere")
      throw new Problem("conflict", `${caller.name} signs in with OpenID Connect; change the password there.`);
    const outcome = await access.changePassword(body, requester);
    if (outcome.kind === "refused") throw invalidInput([{ path: "/current", message: "is not your current password" }]);
    if (outcome.kind === "wait") throw refusalOf(outcome, "");
    await audit({ action: "password.changed", target: `user:${caller.name}` });
    return new Response(null, { status: 204 });
  },
});

function refusalOf(refusal: Refusal, wrong: string): Problem {
  if (refusal.kind === "refused") return new Problem("unauthorized", wrong);
  const { seconds } = refusal;
  return new Problem("too_many_requests", `Too many failed attempts; retry in ${seconds} s.`, {
    headers: { "retry-after": String(seconds) },
  });
}

function ruled(faultOf: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });
}
