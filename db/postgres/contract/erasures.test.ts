import { erasuresContract } from "../../contract/log/erasures.ts";
import { retentionContract } from "../../contract/log/retention.ts";
import { postgresSubject } from "../testing/subject.ts";

erasuresContract(postgresSubject);
retentionContract(postgresSubject);
