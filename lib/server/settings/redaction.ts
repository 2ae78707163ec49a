import { z } from "zod";
import { REDACTION_RULES, type RedactionRule } from "../../redaction/rules.ts";

/** The configuration of redaction. */
export interface RedactionConfig {
  logs: readonly RedactionRule[];
  exports: readonly RedactionRule[];
  /** Before it is stored; it cannot be recovered. */
  stored: readonly RedactionRule[];
}

const MESSAGE = `must be none, or any of ${REDACTION_RULES.join(", ")}, separated by commas`;

const rules = z.string().transform((list, context): readonly RedactionRule[] => {
  const names = list.trim() === "none" ? [] : list.split(",").map((name) => name.trim());
  const result = z.array(z.enum(REDACTION_RULES)).safeParse(names);
  if (result.success) return result.data;
  context.addIssue({ code: "custom", message: MESSAGE });
  return z.NEVER;
});

/** Its variables. */
export const redactionVariables = {
  OBELUS_REDACT_LOGS: rules.prefault("keys,cards"),
  OBELUS_REDACT_EXPORTS: rules.prefault("none"),
  OBELUS_REDACT_STORED: rules.prefault("none"),
};

type Variables = z.infer<z.ZodObject<typeof redactionVariables>>;

/** Its configuration from the variables. */
export function redactionOf(set: Variables): RedactionConfig {
  return { logs: set.OBELUS_REDACT_LOGS, exports: set.OBELUS_REDACT_EXPORTS, stored: set.OBELUS_REDACT_STORED };
}
