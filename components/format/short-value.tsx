"use client";

import type { Json } from "@/lib/session/json/json.ts";
import { useShortValue } from "./use-short-value.ts";

/** A value in a few words. */
export function ShortValue({ value }: { value: Json }) {
  return useShortValue()(value);
}
