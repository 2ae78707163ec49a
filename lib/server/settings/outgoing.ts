import { z } from "zod";
import { isPrivateHost } from "../../outgoing/addresses.ts";

/** The variables of outgoing calls. */
export const outgoingVariables = {
  OBELUS_PRIVATE_HOSTS: z
    .string()
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .refine(
      (entries) => entries.every(isPrivateHost),
      "must be names, addresses or networks, separated by commas, such as crm.local,10.1.2.3,fd00::/8",
    )
    .default([]),
};
