import { z } from "zod";
import type { User } from "../../../../db/access.ts";
import { ROLES } from "../../../access/caller.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { accessName, newPassword } from "./sign-in.ts";

/** A user. */
export const user = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  signs_in: z.enum(["here", "elsewhere"]).describe("Where they sign in: here, or with the OpenID Connect provider."),
  created_at: z.iso.datetime(),
  seen_at: z.iso.datetime().nullable().describe("When they were last active; null if not signed in."),
}) satisfies z.ZodType<User>;

const userParams = z.object({ id: z.string() });

const unknown = { 404: refusal("The user does not exist.") };

/** Lists users. */
export const listUsers = operation({
  name: "listUsers",
  permission: "admin",
  method: "GET",
  path: "/api/users",
  summary: "Lists users by name.",
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(user) }) } },
  run: async (_input, { users }) => answerJson({ items: await users.list() }),
});

/** Adds a user. */
export const postUser = operation({
  name: "postUser",
  permission: "admin",
  method: "POST",
  path: "/api/users",
  summary: "Adds a user.",
  body: jsonBody(z.strictObject({ name: accessName, role: z.enum(ROLES), password: newPassword })),
  answers: {
    201: { description: "The user can sign in.", schema: user },
    409: refusal("The name is already in use."),
  },
  async run({ body: { name, role, password }, audit }, { users, access }) {
    const added = await users.add({ name, role, password_hash: await access.hashPassword(password) });
    await audit({ action: "user.added", target: `user:${name}`, after: { role } });
    return answerJson(added, 201);
  },
});

/** Changes a user's role or password. */
export const putUser = operation({
  name: "putUser",
  permission: "admin",
  method: "PUT",
  path: "/api/users/{id}",
  summary: "Changes a user's role, password, or both, and signs them out everywhere.",
  params: userParams,
  body: jsonBody(z.strictObject({ role: z.enum(ROLES).optional(), password: newPassword.optional() })),
  answers: {
    200: { description: "The updated user.", schema: user },
    409: refusal("The role of the last administrator, or the password of a user who signs in with OpenID Connect."),
    ...unknown,
  },
  async run({ params: { id }, body: { role, password }, audit }, { users, access }) {
    const before = await users.get(id);
    if (!before) throw unknownUser(id);
    const target = `user:${before.name}`;
    if (role !== undefined) {
      const changed = await users.setRole(id, role);
      if (!changed) throw unknownUser(id);
      if (changed.before !== role)
        await audit({ action: "user.changed", target, before: { role: changed.before }, after: { role } });
    }
    if (password !== undefined) {
      if (!(await users.setPassword(id, await access.hashPassword(password)))) throw unknownUser(id);
      await audit({ action: "password.changed", target });
    }
    await access.rightsChanged();
    return answerJson(await users.get(id));
  },
});

/** Deletes a user. */
export const deleteUser = operation({
  name: "deleteUser",
  permission: "admin",
  method: "DELETE",
  path: "/api/users/{id}",
  summary: "Removes a user and signs them out everywhere.",
  params: userParams,
  answers: {
    204: { description: "The user was removed." },
    409: refusal("The user is the last administrator."),
    ...unknown,
  },
  async run({ params: { id }, audit }, { users, access, absences }) {
    const removed = await users.remove(id);
    if (!removed) throw unknownUser(id);
    await absences.forget(removed.name);
    await audit({ action: "user.removed", target: `user:${removed.name}`, before: { role: removed.role } });
    await access.rightsChanged();
    return new Response(null, { status: 204 });
  },
});

function unknownUser(id: string): Problem {
  return new Problem("not_found", `There is no user ${id}.`);
}
