import { alertRulesContract } from "../../contract/alert-rules.ts";
import { sqliteSubject } from "../testing/subject.ts";

alertRulesContract(sqliteSubject);
