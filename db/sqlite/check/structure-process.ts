import { constants, setPriority } from "node:os";
import { openForReading } from "../connection.ts";
import { structureFaults } from "./structure.ts";

// The process of `structureFaultsElsewhere`: it gives way to the server that waits for it.
setPriority(constants.priority.PRIORITY_LOW);
const connection = openForReading(process.argv[2] ?? "");
console.log(JSON.stringify(structureFaults(connection)));
connection.close();
