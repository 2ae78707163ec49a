import { agentStatesContract } from "../../contract/agent-states.ts";
import { conversationsContract } from "../../contract/lists/conversations.ts";
import { cursorsContract } from "../../contract/lists/cursors.ts";
import { sessionsContract } from "../../contract/lists/sessions.ts";
import { forksContract } from "../../contract/log/forks.ts";
import { postgresSubject } from "../testing/subject.ts";

conversationsContract(postgresSubject);
cursorsContract(postgresSubject);
sessionsContract(postgresSubject);
forksContract(postgresSubject);
agentStatesContract(postgresSubject);
