import { rollupContract } from "../../contract/rollup.ts";
import { postgresSubject } from "../testing/subject.ts";

rollupContract(postgresSubject);
