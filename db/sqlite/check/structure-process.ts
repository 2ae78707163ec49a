import { constants, setPriority } from "node:os";
import { openForReading } from "../connection.ts";
import { structureFaults } from "./structure.ts";

// The process of `structureFaultsElsewhere`. It runs at low priority.
setPriority(constants.priority.PRIORITY_LOW);
const connection = openForReading(process.argv[2] ?? "");
console.log(JSON.stringify(structureFaults(connection)));
connection.close();
