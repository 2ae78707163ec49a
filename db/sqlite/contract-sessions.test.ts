import { agentStatesContract } from "../contract/agent-states.ts";
import { conversationsContract } from "../contract/conversations.ts";
import { forksContract } from "../contract/forks.ts";
import { sessionsContract } from "../contract/sessions.ts";
import { sqliteSubject } from "./testing/subject.ts";

conversationsContract(sqliteSubject);
sessionsContract(sqliteSubject);
forksContract(sqliteSubject);
agentStatesContract(sqliteSubject);
