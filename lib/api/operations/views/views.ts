import { z } from "zod";
import { actorOf, may } from "../../../access/caller.ts";
import { type ListView, LONGEST_VIEW_NAME, LONGEST_VIEW_QUERY } from "../../../queue/list-view.ts";
import { PLAIN_LINE, PLAIN_LINE_FAULT } from "../../../session/plain-line.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";

export const listView = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string().describe("As in events: `operator:anna`, `key:billing`."),
  query: z.string().describe("The search part of the list's address: filters, order and columns."),
  shared: z.boolean().describe("Whether everybody sees it."),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}) satisfies z.ZodType<ListView>;

/** The views of a caller. */
export const listViews = z.object({
  items: z.array(listView),
  me: z.string().describe("The owner of the caller's views."),
});

const name = z.string().trim().min(1, "must not be empty").max(LONGEST_VIEW_NAME).regex(PLAIN_LINE, PLAIN_LINE_FAULT);
const query = z
  .string()
  .max(LONGEST_VIEW_QUERY)
  .regex(PLAIN_LINE, PLAIN_LINE_FAULT)
  .describe("The search part of the list's address, without `?`.");
const shared = z.boolean().describe("Everybody sees it. Needs the permission `operate`.");

const params = z.object({ id: z.string().max(100) });
const unknown = { 404: refusal("There is no such view.") };

/** Lists views of the list of conversations. */
export const getListViews = operation({
  name: "getListViews",
  permission: "read",
  method: "GET",
  path: "/api/views",
  summary: "Lists the saved views of the list of conversations: the caller's own, and those that are shared.",
  answers: { 200: { description: "By name.", schema: listViews } },
  async run({ requester: { caller } }, { views }) {
    const me = actorOf(caller);
    return answerJson({ items: await views.list(me), me });
  },
});

/** Saves a view. */
export const postListView = operation({
  name: "postListView",
  permission: "read",
  method: "POST",
  path: "/api/views",
  summary:
    "Saves filters, order and columns of the list of conversations under a name, for the caller or for everybody.",
  body: jsonBody(z.strictObject({ name, query, shared: shared.default(false) })),
  answers: {
    201: { description: "The view.", schema: listView },
    403: refusal("Sharing needs the permission `operate`."),
    409: refusal("The caller has a view of this name, or 100 views."),
  },
  async run({ body, requester: { caller }, audit }, { views }) {
    if (body.shared) mayShare(may(caller, "operate"));
    const view = await views.add({ ...body, owner: actorOf(caller) });
    await audit({ action: "view.saved", target: `view:${view.id}`, after: { name: view.name, shared: view.shared } });
    return answerJson(view, 201);
  },
});

/** Renames, replaces or shares a view. */
export const putListView = operation({
  name: "putListView",
  permission: "read",
  method: "PUT",
  path: "/api/views/{id}",
  summary: "Replaces a view of one's own; an administrator may replace any that is shared.",
  params,
  body: jsonBody(z.strictObject({ name, query, shared })),
  answers: {
    200: { description: "The view.", schema: listView },
    403: refusal("It is somebody else's, or sharing needs the permission `operate`."),
    409: refusal("The owner has a view of this name."),
    ...unknown,
  },
  async run({ params: { id }, body, requester: { caller }, audit }, { views }) {
    const before = ownView(await views.get(id), actorOf(caller), may(caller, "admin"));
    if (body.shared) mayShare(may(caller, "operate"));
    const view = await views.change(id, body);
    if (!view) throw noView();
    await audit({
      action: "view.changed",
      target: `view:${id}`,
      before: { name: before.name, shared: before.shared },
      after: { name: view.name, shared: view.shared, query: before.query !== view.query },
    });
    return answerJson(view);
  },
});

/** Deletes a view. */
export const deleteListView = operation({
  name: "deleteListView",
  permission: "read",
  method: "DELETE",
  path: "/api/views/{id}",
  summary: "Deletes a view of one's own; an administrator may delete any that is shared.",
  params,
  answers: { 204: { description: "It is deleted." }, 403: refusal("It is somebody else's."), ...unknown },
  async run({ params: { id }, requester: { caller }, audit }, { views }) {
    const view = ownView(await views.get(id), actorOf(caller), may(caller, "admin"));
    if (!(await views.remove(id))) throw noView();
    await audit({ action: "view.deleted", target: `view:${id}`, before: { name: view.name, shared: view.shared } });
    return new Response(null, { status: 204 });
  },
});

/** Nobody is told of somebody else's private view. */
function ownView(view: ListView | null, me: string, isAdmin: boolean): ListView {
  if (!view || (view.owner !== me && !view.shared)) throw noView();
  if (view.owner !== me && !isAdmin)
    throw new Problem("forbidden", `The view is ${view.owner}'s; ask them or an administrator, or save your own.`);
  return view;
}

function mayShare(isAllowed: boolean): void {
  if (!isAllowed) throw new Problem("forbidden", "Sharing a view needs the permission operate; save it for yourself.");
}

function noView(): Problem {
  return new Problem("not_found", "There is no such view; see GET /api/views.");
}
