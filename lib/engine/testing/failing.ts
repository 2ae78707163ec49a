import type { Activity } from "../tools/activity.ts";

/** An activity that fails as often as it is told, and then gives 1. */
export function failing(times: number, error: () => Error): { tries: number[]; activity: Activity } {
  const tries: number[] = [];
  const activity: Activity = async (_params, _scopes, { attempt }) => {
    tries.push(attempt);
    if (tries.length <= times) throw error();
    return 1;
  };
  return { tries, activity };
}
