import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { type Bookmark, LONGEST_NOTE } from "../../../session/bookmarks.ts";
import { plainText } from "../../../session/events/catalogue.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { conversationParams, numberParameter } from "../../fields.ts";
import { operation, optionalJsonBody } from "../../operation.ts";

const bookmark = z.object({
  seq: z.int(),
  note: z.string().nullable(),
  by: z.string().nullable(),
  at: z.iso.datetime(),
  set_seq: z.int(),
}) satisfies z.ZodType<Bookmark>;

const stepParams = conversationParams.extend({ seq: numberParameter(1) });

const unknown = {
  404: refusal("The conversation does not exist."),
};

/** Lists the bookmarks of a conversation. */
export const listBookmarks = operation({
  name: "listBookmarks",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/bookmarks",
  summary: "Lists the bookmarks of a conversation, in step order.",
  params: conversationParams,
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(bookmark) }) }, ...unknown },
  async run({ params: { id } }, { bookmarks }) {
    const items = await bookmarks.list(id);
    if (items === null) throw unknownConversation(id);
    return answerJson({ items });
  },
});

/** Bookmarks a step, or changes its note. */
export const putBookmark = operation({
  name: "putBookmark",
  permission: "operate",
  method: "PUT",
  path: "/api/conversations/{id}/bookmarks/{seq}",
  summary: "Bookmarks a step, or changes its note. Bookmarks are stored beside the event log and add no step.",
  params: stepParams,
  body: optionalJsonBody(
    z.strictObject({ note: plainText.trim().max(LONGEST_NOTE).optional().describe("Omit for no note.") }),
  ),
  answers: {
    200: { description: "The bookmark, new or existing.", schema: bookmark },
    400: refusal("The step does not exist."),
    ...unknown,
  },
  async run({ params: { id, seq }, body, requester, audit }, { bookmarks }) {
    const done = await bookmarks.put(id, { seq, note: body.note || null, by: actorOf(requester.caller) });
    if (!done) throw unknownConversation(id);
    if (done.changed) await audit({ action: "bookmark.set", target: `conversation:${id}`, after: { seq } });
    return answerJson(done.bookmark);
  },
});

/** Deletes a bookmark. */
export const deleteBookmark = operation({
  name: "deleteBookmark",
  permission: "operate",
  method: "DELETE",
  path: "/api/conversations/{id}/bookmarks/{seq}",
  summary: "Removes a step's bookmark, if there is one.",
  params: stepParams,
  answers: {
    204: { description: "The step has no bookmark." },
    400: refusal("The step does not exist."),
    ...unknown,
  },
  async run({ params: { id, seq }, audit }, { bookmarks }) {
    const done = await bookmarks.remove(id, seq);
    if (!done) throw unknownConversation(id);
    if (done.removed) await audit({ action: "bookmark.removed", target: `conversation:${id}`, after: { seq } });
    return new Response(null, { status: 204 });
  },
});
