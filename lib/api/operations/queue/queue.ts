import { z } from "zod";
import { nameOf } from "../../../access/caller.ts";
import { LONGEST_TAG, MOST_CHANGED, MOST_TAGS, QUEUE_VIEWS } from "../../../queue/queue.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { PLAIN_LINE, PLAIN_LINE_FAULT } from "../../../session/plain-line.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { instant } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { peopleOf } from "./people.ts";

const tag = z.string().trim().min(1, "must not be empty").max(LONGEST_TAG).regex(PLAIN_LINE, PLAIN_LINE_FAULT);

/** A time that people set. What was never meant, such as the year 0, would be the most overdue of all. */
const planned = instant.refine((time) => time >= "1970", "must be in 1970 or later");

const change = z
  .strictObject({
    ids: z.array(identifier).min(1).max(MOST_CHANGED).describe("The conversations."),
    assignee: z.string().min(1).max(200).nullable().optional().describe("The name of a user; null for nobody."),
    due_at: planned.nullable().optional(),
    snoozed_until: planned.nullable().optional().describe("It is out of the queue until then."),
    resolved: z.boolean().optional().describe("Whether it is out of the queue until something happens in it again."),
    add_tags: z.array(tag).max(MOST_TAGS).optional(),
    remove_tags: z.array(tag).max(MOST_TAGS).optional(),
  })
  .refine((body) => Object.keys(body).length > 1, "must change something");

/** Assigns, tags, snoozes or resolves conversations. */
export const changeQueue = operation({
  name: "changeQueue",
  permission: "operate",
  method: "POST",
  path: "/api/queue",
  summary:
    "Assigns, tags, snoozes, resolves conversations or gives them a due time, all or none. What is omitted stays. This is stored beside the event log and adds no step.",
  body: jsonBody(change),
  answers: {
    200: {
      description: "The conversations that were changed, and those that do not exist.",
      schema: z.object({ changed: z.array(z.string()), missing: z.array(z.string()) }),
    },
    400: refusal("There is no such user."),
    409: refusal("A conversation would have more than 20 tags, or is being erased."),
  },
  async run({ body: { ids, ...changed }, requester: { caller }, audit }, { queue, users }) {
    const { assignee } = changed;
    if (assignee !== undefined && assignee !== null && !(await peopleOf(users, caller)).includes(assignee))
      throw new Problem("invalid_input", `There is no user ${assignee} who may operate; see people of GET /api/queue.`);
    const done = await queue.change([...new Set(ids)], changed);
    const [only, another] = done.changed;
    if (only !== undefined)
      await audit({
        action: "queue.changed",
        target: another === undefined ? `conversation:${only}` : null,
        after: {
          ...(another !== undefined && { conversations: done.changed.length }),
          ...Object.fromEntries(Object.entries(changed).filter(([name]) => !name.endsWith("tags"))),
          ...((changed.add_tags ?? changed.remove_tags) && { tags: true }),
        },
      });
    return answerJson(done);
  },
});

/** What the queue's views and menus show. */
export const queue = z.object({
  views: z.record(z.enum(QUEUE_VIEWS), z.int()),
  tags: z.array(z.string()).describe("The 100 most used."),
  people: z.array(z.string()).describe("Users who may operate."),
  me: z.string(),
});

/** Returns what the queue's views and menus show. */
export const getQueue = operation({
  name: "getQueue",
  permission: "read",
  method: "GET",
  path: "/api/queue",
  summary: "Returns the number of conversations in each view of the queue, the tags in use, and who can be assigned.",
  answers: {
    200: {
      description: "The queue of the caller.",
      schema: queue,
    },
  },
  async run({ requester: { caller } }, { queue, users }) {
    const me = nameOf(caller);
    const [views, tags, people] = await Promise.all([
      queue.counts(me, Date.now()),
      queue.tags(),
      peopleOf(users, caller),
    ]);
    return answerJson({ views, tags, people, me });
  },
});
