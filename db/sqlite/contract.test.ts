import { agentStatesContract } from "../contract/agent-states.ts";
import { conversationsContract } from "../contract/conversations.ts";
import { eventsContract } from "../contract/events.ts";
import { importContract } from "../contract/import.ts";
import { logContract } from "../contract/log.ts";
import { messagesContract } from "../contract/messages.ts";
import { sessionsContract } from "../contract/sessions.ts";
import { sqliteSubject } from "./testing/subject.ts";

logContract(sqliteSubject);
eventsContract(sqliteSubject);
messagesContract(sqliteSubject);
conversationsContract(sqliteSubject);
agentStatesContract(sqliteSubject);
importContract(sqliteSubject);
sessionsContract(sqliteSubject);
