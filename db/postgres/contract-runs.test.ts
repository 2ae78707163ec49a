import { alertsContract } from "../contract/alerts.ts";
import { approvalsContract } from "../contract/approvals.ts";
import { changesContract } from "../contract/changes.ts";
import { confirmationsContract } from "../contract/confirmations.ts";
import { decisionsContract } from "../contract/decisions.ts";
import { handsContract } from "../contract/hands.ts";
import { ownRunsContract } from "../contract/own-runs.ts";
import { usageContract } from "../contract/usage.ts";
import { postgresSubject } from "./testing/subject.ts";

ownRunsContract(postgresSubject);
confirmationsContract(postgresSubject);
decisionsContract(postgresSubject);
approvalsContract(postgresSubject);
changesContract(postgresSubject);
handsContract(postgresSubject);
alertsContract(postgresSubject);
usageContract(postgresSubject);
