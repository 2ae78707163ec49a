import { z } from "zod";
import type { RetentionRule } from "../../../db/retention.ts";

const RULE = /^(?:(?<channel>[^\s=,]{1,100})=)?(?<days>[1-9]\d{0,4})d$/u;
const EXAMPLE = "must be days, for all channels or by channel, such as 365d, telegram=90d";

/** The variables of retention. */
export const privacyVariables = {
  OBELUS_RETENTION: z
    .string()
    .transform((list, context): RetentionRule[] => {
      const rules = list.split(",").map((part) => RULE.exec(part.trim())?.groups);
      const found = rules.flatMap((groups) =>
        groups ? [{ channel: groups.channel ?? null, days: Number(groups.days) }] : [],
      );
      const isTwice = new Set(found.map(({ channel }) => channel)).size < found.length;
      if (found.length === rules.length && !isTwice) return found;
      context.addIssue({ code: "custom", message: isTwice ? `${EXAMPLE}, each channel once` : EXAMPLE });
      return z.NEVER;
    })
    .default([]),
};
