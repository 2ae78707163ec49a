"use client";

import { useEffect, useState } from "react";
import { subscribeLive } from "@/components/client/live.ts";

/** How many traces have come by OTLP and wait for the rest of their spans. */
export function useWaitingTraces(): number {
  const [count, setCount] = useState(0);
  // The outside system is the stream.
  useEffect(() => subscribeLive({}, { onWaiting: setCount }), []);
  return count;
}
