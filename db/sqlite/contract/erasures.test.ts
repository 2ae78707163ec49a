import { erasuresContract } from "../../contract/log/erasures.ts";
import { retentionContract } from "../../contract/log/retention.ts";
import { sqliteSubject } from "../testing/subject.ts";

erasuresContract(sqliteSubject);
retentionContract(sqliteSubject);
