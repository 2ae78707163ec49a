import { useEffect, useState } from "react";
import { subscribeLive } from "@/components/client/live.ts";

/** The number of traces from OTLP that wait for more spans. */
export function useWaitingTraces(): number {
  const [count, setCount] = useState(0);
  // The outside system is the stream.
  useEffect(() => subscribeLive({}, { onWaiting: setCount }), []);
  return count;
}
