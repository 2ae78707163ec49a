"use client";

import { useSearchParams } from "next/navigation";
import { setParam } from "@/components/selection/set-params.ts";

const NAME = "form";
const TABLE = "table";

/** Whether the plan is shown as a table; it is in the address. */
export function useAsTable(): { shown: boolean; toggle(): void } {
  const shown = useSearchParams().get(NAME) === TABLE;
  return { shown, toggle: () => setParam(NAME, shown ? "" : TABLE) };
}
