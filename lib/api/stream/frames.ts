import type { AGUIEvent } from "@ag-ui/core";
import type { SessionEvent } from "../../session/event.ts";

/** An event as a frame of server-sent events (E13). */
export function sseFrame(event: SessionEvent): string {
  return `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** What AG-UI tells of a step. Its last frame has its number: who resumes after it has all of it. */
export function agUiFrames(told: readonly AGUIEvent[], seq: number): string {
  return told
    .map((event, index) => `${index === told.length - 1 ? `id: ${seq}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");
}
