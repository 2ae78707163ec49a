import { agentStatesContract } from "../contract/agent-states.ts";
import { conversationsContract } from "../contract/conversations.ts";
import { forksContract } from "../contract/forks.ts";
import { sessionsContract } from "../contract/sessions.ts";
import { postgresSubject } from "./testing/subject.ts";

conversationsContract(postgresSubject);
sessionsContract(postgresSubject);
forksContract(postgresSubject);
agentStatesContract(postgresSubject);
