import { z } from "zod";
import { actorOf, may } from "../../../access/caller.ts";
import { LONGEST_NOTE_TEXT, mentionsIn, type Note } from "../../../notes/note.ts";
import { identifier, plainText } from "../../../session/events/catalogue.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { conversationParams, statePath } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { requirePart } from "../../session-part.ts";
import { peopleOf } from "../queue/people.ts";

const note = z.object({
  id: z.string(),
  seq: z.int().nullable(),
  run_id: z.string().nullable(),
  call_id: z.string().nullable(),
  path: z.string().nullable(),
  text: z.string(),
  mentions: z.array(z.string()).describe("The users that it mentions."),
  by: z.string().nullable(),
  at: z.iso.datetime(),
}) satisfies z.ZodType<Note>;

const newNote = z
  .strictObject({
    text: plainText.trim().min(1, "must not be empty").max(LONGEST_NOTE_TEXT).describe("`@name` mentions a user."),
    seq: z.int().min(1).optional().describe("The step that it is about."),
    run_id: identifier.optional(),
    call_id: identifier.optional().describe("The call of this run that it is about."),
    path: statePath.optional().describe("The path of the state that it is about."),
  })
  .refine(({ call_id, run_id }) => call_id === undefined || run_id !== undefined, {
    path: ["run_id"],
    message: "is required with call_id",
  });

const unknown = { 404: refusal("The conversation does not exist.") };

/** Lists the notes of a conversation. */
export const listNotes = operation({
  name: "listNotes",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/notes",
  summary: "Lists the notes of a conversation and of what is in it, oldest first.",
  params: conversationParams,
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(note) }) }, ...unknown },
  async run({ params: { id } }, { notes }) {
    const items = await notes.list(id);
    if (items === null) throw unknownConversation(id);
    return answerJson({ items });
  },
});

/** Writes a note. */
export const postNote = operation({
  name: "postNote",
  permission: "operate",
  method: "POST",
  path: "/api/conversations/{id}/notes",
  summary:
    "Writes a note about a conversation, a step, a call or a path of the state. Users whom it mentions are notified. Notes are stored beside the event log and add no step.",
  params: conversationParams,
  body: jsonBody(newNote),
  answers: {
    201: { description: "The note.", schema: note },
    400: refusal("The step, the run or the call does not exist."),
    409: refusal("The conversation has 1,000 notes, or is being erased."),
    ...unknown,
  },
  async run({ params: { id }, body, requester: { caller }, audit }, { notes, users, notices, sessions }) {
    const { text, seq = null, run_id = null, call_id = null, path = null } = body;
    await requirePart(id, { run_id, call_id }, sessions);
    const mentions = mentionsIn(text, await peopleOf(users, caller));
    const written = await notes.add(id, { seq, run_id, call_id, path, text, mentions, by: actorOf(caller) });
    if (!written) throw unknownConversation(id);
    if (mentions.length > 0) notices.news();
    await audit({ action: "note.written", target: `conversation:${id}`, after: { note: written.id, mentions } });
    return answerJson(written, 201);
  },
});

/** Deletes a note: one's own, or as an administrator. */
export const deleteNote = operation({
  name: "deleteNote",
  permission: "operate",
  method: "DELETE",
  path: "/api/conversations/{id}/notes/{note}",
  summary: "Removes a note of one's own; an administrator may remove any.",
  params: conversationParams.extend({ note: z.string().max(100) }),
  answers: { 204: { description: "There is no such note." }, 403: refusal("Somebody else wrote it."), ...unknown },
  async run({ params: { id, note }, requester: { caller }, audit }, { notes }) {
    const all = await notes.list(id);
    if (all === null) throw unknownConversation(id);
    const known = all.find((one) => one.id === note);
    if (known && known.by !== actorOf(caller) && !may(caller, "admin"))
      throw new Problem("forbidden", "Somebody else wrote the note; ask them or an administrator to remove it.");
    const removed = await notes.remove(id, note);
    if (removed)
      await audit({ action: "note.removed", target: `conversation:${id}`, before: { note, by: removed.by } });
    return new Response(null, { status: 204 });
  },
});
