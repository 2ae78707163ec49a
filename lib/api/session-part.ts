import type { Sessions } from "../../db/repositories.ts";
import { invalidInput } from "./sentences.ts";

/**
 * Throws a `Problem` where the conversation has no such run, or the run no such call. Nothing where there is no such conversation:
 * what is written about it finds that.
 */
export async function requirePart(
  conversationId: string,
  { run_id, call_id }: { run_id: string | null; call_id: string | null },
  sessions: Pick<Sessions, "holds">,
): Promise<void> {
  if (run_id === null || (await sessions.holds(conversationId, { run_id, call_id })) !== false) return;
  const lacksRun = call_id === null || (await sessions.holds(conversationId, { run_id, call_id: null })) === false;
  throw invalidInput([
    lacksRun
      ? { path: "/run_id", message: `is ${run_id}, and the conversation has no event of such a run` }
      : { path: "/call_id", message: `is ${call_id}, and the run ${run_id} has no such call` },
  ]);
}
