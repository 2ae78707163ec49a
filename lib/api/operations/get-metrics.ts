import { operation } from "../operation.ts";

/** Returns the server's metrics for Prometheus. */
export const getMetrics = operation({
  name: "getMetrics",
  permission: "read",
  method: "GET",
  path: "/api/metrics",
  summary: "Returns the server's metrics for Prometheus.",
  answers: { 200: { description: "Metrics in the Prometheus text format.", type: "text/plain" } },
  async run(_input, { metrics }) {
    return new Response(await metrics.text(), {
      headers: { "content-type": metrics.contentType, "cache-control": "no-store" },
    });
  },
});
