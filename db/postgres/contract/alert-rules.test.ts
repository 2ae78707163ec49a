import { alertRulesContract } from "../../contract/alert-rules.ts";
import { postgresSubject } from "../testing/subject.ts";

alertRulesContract(postgresSubject);
