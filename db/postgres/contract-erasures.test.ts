import { erasuresContract } from "../contract/erasures.ts";
import { retentionContract } from "../contract/retention.ts";
import { postgresSubject } from "./testing/subject.ts";

erasuresContract(postgresSubject);
retentionContract(postgresSubject);
