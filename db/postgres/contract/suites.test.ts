import { suitesContract } from "../../contract/suites.ts";
import { postgresSubject } from "../testing/subject.ts";

suitesContract(postgresSubject);
