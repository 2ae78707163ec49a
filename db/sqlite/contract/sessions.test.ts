import { agentStatesContract } from "../../contract/agent-states.ts";
import { conversationsContract } from "../../contract/lists/conversations.ts";
import { cursorsContract } from "../../contract/lists/cursors.ts";
import { sessionsContract } from "../../contract/lists/sessions.ts";
import { forksContract } from "../../contract/log/forks.ts";
import { sqliteSubject } from "../testing/subject.ts";

conversationsContract(sqliteSubject);
cursorsContract(sqliteSubject);
sessionsContract(sqliteSubject);
forksContract(sqliteSubject);
agentStatesContract(sqliteSubject);
