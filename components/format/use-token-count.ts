import { useFormatter } from "next-intl";
import { reporting } from "@/lib/session/runs/usage.ts";
import type { Usage } from "@/lib/session/session.ts";

/** Writes a sum of tokens: "—" where no response told it, "≥" before it where some did not. */
export function useTokenCount(): (usage: Omit<Usage, "model">, part: "input_tokens" | "output_tokens") => string {
  const format = useFormatter();
  return (usage, part) => {
    const known = reporting(usage);
    if (known === "none") return "—";
    return (known === "some" ? "≥ " : "") + format.number(usage[part]);
  };
}
