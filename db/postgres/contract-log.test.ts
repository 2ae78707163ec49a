import { bookmarksContract } from "../contract/bookmarks.ts";
import { eventsContract } from "../contract/events.ts";
import { importContract } from "../contract/import.ts";
import { logContract } from "../contract/log.ts";
import { messagesContract } from "../contract/messages.ts";
import { queueContract } from "../contract/queue.ts";
import { scoresContract } from "../contract/scores.ts";
import { spansContract } from "../contract/spans.ts";
import { postgresSubject } from "./testing/subject.ts";

logContract(postgresSubject);
eventsContract(postgresSubject);
messagesContract(postgresSubject);
importContract(postgresSubject);
bookmarksContract(postgresSubject);
scoresContract(postgresSubject);
queueContract(postgresSubject);
spansContract(postgresSubject);
