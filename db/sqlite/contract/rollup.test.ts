import { rollupContract } from "../../contract/rollup.ts";
import { sqliteSubject } from "../testing/subject.ts";

rollupContract(sqliteSubject);
