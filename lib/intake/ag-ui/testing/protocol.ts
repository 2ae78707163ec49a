import { type AGUIEvent, EventType } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";

/**
 * Violations of the protocol's rules of order: one run at a time, everything within a run; texts, calls and steps start
 * before they continue and end before their run does; subagents are announced first.
 */
export function breaches(events: readonly AGUIEvent[]): string[] {
  const found: string[] = [];
  let run: string | null = null;
  const open = new Set<string>();
  const begin = (what: string) => (open.has(what) ? found.push(`${what} begins twice`) : open.add(what));
  const need = (what: string) => open.has(what) || found.push(`${what} has not begun`);
  const end = (what: string) => need(what) && open.delete(what);
  for (const event of events) {
    const parsed = EventSchemas.safeParse(event);
    if (!parsed.success) found.push(`${event.type}: ${parsed.error.message}`);
    if (event.type === EventType.RUN_STARTED) {
      if (run !== null) found.push(`${event.runId} starts within ${run}`);
      run = event.runId;
      continue;
    }
    if (run === null) found.push(`${event.type} is outside of all runs`);
    if ("subagentRunId" in event && event.subagentRunId !== undefined && event.type !== EventType.SUBAGENT_STARTED)
      need(`subagent ${event.subagentRunId}`);
    switch (event.type) {
      case EventType.TEXT_MESSAGE_START:
        begin(`message ${event.messageId}`);
        break;
      case EventType.TEXT_MESSAGE_CONTENT:
        need(`message ${event.messageId}`);
        break;
      case EventType.TEXT_MESSAGE_END:
        end(`message ${event.messageId}`);
        break;
      case EventType.TOOL_CALL_START:
        begin(`call ${event.toolCallId}`);
        break;
      case EventType.TOOL_CALL_ARGS:
        need(`call ${event.toolCallId}`);
        break;
      case EventType.TOOL_CALL_END:
        end(`call ${event.toolCallId}`);
        break;
      case EventType.STEP_STARTED:
        begin(`step ${event.stepName}`);
        break;
      case EventType.STEP_FINISHED:
        end(`step ${event.stepName}`);
        break;
      case EventType.SUBAGENT_STARTED:
        begin(`subagent ${event.subagentRunId}`);
        break;
      case EventType.SUBAGENT_FINISHED:
      case EventType.SUBAGENT_ERROR:
        end(`subagent ${event.subagentRunId}`);
        break;
      case EventType.RUN_FINISHED:
      case EventType.RUN_ERROR:
        for (const what of open) found.push(`${what} is open where ${run} ends`);
        open.clear();
        if (event.type === EventType.RUN_FINISHED && event.runId !== run) found.push(`${event.runId} ends in ${run}`);
        run = null;
        break;
      default:
        break;
    }
  }
  return found;
}
