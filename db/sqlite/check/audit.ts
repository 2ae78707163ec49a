import { verifyAudit } from "../access/audit.ts";
import { type Check, counted } from "./check-context.ts";

/** The hash chain of the audit log is valid. */
export const checkAudit: Check = {
  name: "audit",
  remedy: "The audit was changed outside Obelus, or the file is damaged. Keep this file, and compare it with a backup.",
  run({ connection }, faults) {
    const { entries, broken } = verifyAudit(connection);
    if (broken !== null) faults.add(`The chain breaks at entry ${broken}`);
    return counted(entries, "entry", "entries");
  },
};
