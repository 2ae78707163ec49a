import type { AGUIEvent } from "@ag-ui/core";
import type { SessionEvent } from "../../session/event.ts";

/** An event, as JSON, as a server-sent event (E13). */
export function sseFrame({ position, type }: Pick<SessionEvent, "position" | "type">, json: string): string {
  return `id: ${position}\nevent: ${type}\ndata: ${json}\n\n`;
}

/** The AG-UI events of a step as server-sent events. The last one has the step's number, for resuming after it. */
export function agUiFrames(told: readonly AGUIEvent[], seq: number): string {
  return told
    .map((event, index) => `${index === told.length - 1 ? `id: ${seq}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");
}
