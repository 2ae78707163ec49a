import { overviewContract } from "../../contract/rollup/overview.ts";
import { countedScoresContract } from "../../contract/rollup/scores.ts";
import { toolsContract } from "../../contract/rollup/tools.ts";
import { versionsContract } from "../../contract/rollup/versions.ts";
import { sqliteSubject } from "../testing/subject.ts";

overviewContract(sqliteSubject);
countedScoresContract(sqliteSubject);
versionsContract(sqliteSubject);
toolsContract(sqliteSubject);
