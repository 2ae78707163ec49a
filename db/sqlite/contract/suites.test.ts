import { suitesContract } from "../../contract/suites.ts";
import { sqliteSubject } from "../testing/subject.ts";

suitesContract(sqliteSubject);
