import { bookmarksContract } from "../contract/bookmarks.ts";
import { eventsContract } from "../contract/events.ts";
import { importContract } from "../contract/import.ts";
import { logContract } from "../contract/log.ts";
import { messagesContract } from "../contract/messages.ts";
import { queueContract } from "../contract/queue.ts";
import { scoresContract } from "../contract/scores.ts";
import { spansContract } from "../contract/spans.ts";
import { sqliteSubject } from "./testing/subject.ts";

logContract(sqliteSubject);
eventsContract(sqliteSubject);
messagesContract(sqliteSubject);
importContract(sqliteSubject);
spansContract(sqliteSubject);
bookmarksContract(sqliteSubject);
scoresContract(sqliteSubject);
queueContract(sqliteSubject);
