/** Metrics as one server has them: without the label by which replicas on Postgres name themselves. */
export function withoutReplica(metrics: string): string {
  return metrics.replaceAll(/,?replica="[^"]+"/g, "").replaceAll("{}", "");
}
