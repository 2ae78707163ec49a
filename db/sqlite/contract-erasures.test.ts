import { erasuresContract } from "../contract/erasures.ts";
import { retentionContract } from "../contract/retention.ts";
import { sqliteSubject } from "./testing/subject.ts";

erasuresContract(sqliteSubject);
retentionContract(sqliteSubject);
