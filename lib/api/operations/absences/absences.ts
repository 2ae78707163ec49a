import { z } from "zod";
import { type Caller, may, nameOf } from "../../../access/caller.ts";
import { type Absence, LONGEST_ABSENCE_MS } from "../../../queue/absence.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { instant } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { peopleOf } from "../queue/people.ts";

export const absence = z.object({
  name: z.string().describe("The user who is away."),
  deputy: z.string().describe("The user who looks after what is theirs."),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
}) satisfies z.ZodType<Absence>;

const params = z.object({ name: z.string().min(1).max(200) });

/** Lists absences. */
export const listAbsences = operation({
  name: "listAbsences",
  permission: "read",
  method: "GET",
  path: "/api/absences",
  summary: "Lists who is away, or will be, and who looks after what is theirs meanwhile.",
  answers: { 200: { description: "By name.", schema: z.object({ items: z.array(absence) }) } },
  run: async (_input, { absences }) => answerJson({ items: await absences.list(Date.now()) }),
});

/** Sets an absence. */
export const putAbsence = operation({
  name: "putAbsence",
  permission: "operate",
  method: "PUT",
  path: "/api/absences/{name}",
  summary:
    "Says that a user is away: what is theirs in the queue, with its approvals, is their deputy's as well from then until then. Everybody sets their own; administrators any.",
  params,
  body: jsonBody(z.strictObject({ deputy: z.string().min(1).max(200), from: instant.optional(), until: instant })),
  answers: {
    200: { description: "The absence.", schema: absence },
    400: refusal(
      "There is no such user, or the time has passed, is longer than a year, or begins later than in a year.",
    ),
    403: refusal("It is somebody else's."),
  },
  async run({ params: { name }, body: { deputy, from, until }, requester: { caller }, audit }, { absences, users }) {
    refuseOthers(caller, name);
    const people = await peopleOf(users, caller);
    const stranger = [name, deputy].find((each) => !people.includes(each));
    if (stranger !== undefined)
      throw new Problem("invalid_input", `There is no user ${stranger} who may operate; see people of GET /api/queue.`);
    if (deputy === name) throw new Problem("invalid_input", "deputy must be somebody else.");
    const now = Date.now();
    const set = { name, deputy, from: from ?? new Date(now).toISOString(), until };
    const length = Date.parse(until) - Date.parse(set.from);
    if (Date.parse(until) <= now || length <= 0 || length > LONGEST_ABSENCE_MS)
      throw new Problem("invalid_input", "until must be in the future, after from, and at most a year after it.");
    if (Date.parse(set.from) - now > LONGEST_ABSENCE_MS)
      throw new Problem("invalid_input", "from must be within a year from now; set a later absence then.");
    await absences.set(set);
    await audit({ action: "absence.set", target: `user:${name}`, after: { deputy, from: set.from, until } });
    return answerJson(set);
  },
});

/** Ends an absence. */
export const deleteAbsence = operation({
  name: "deleteAbsence",
  permission: "operate",
  method: "DELETE",
  path: "/api/absences/{name}",
  summary: "Says that a user is back. Everybody ends their own absence; administrators any.",
  params,
  answers: {
    204: { description: "It has ended." },
    403: refusal("It is somebody else's."),
    404: refusal("The user is not away."),
  },
  async run({ params: { name }, requester: { caller }, audit }, { absences }) {
    const isAway = (await absences.list(Date.now())).some((each) => each.name === name);
    if (!isAway) throw new Problem("not_found", `${name} is not away; see GET /api/absences.`);
    refuseOthers(caller, name);
    await absences.end(name);
    await audit({ action: "absence.ended", target: `user:${name}` });
    return new Response(null, { status: 204 });
  },
});

function refuseOthers(caller: Caller, name: string): void {
  if (nameOf(caller) === name || may(caller, "admin")) return;
  throw new Problem("forbidden", `You are ${nameOf(caller)}, so set your own absence; administrators may set any.`);
}
