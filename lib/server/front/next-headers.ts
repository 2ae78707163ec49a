import type { IncomingHttpHeaders } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";

/**
 * Headers by which parts of Next tell each other what to render, whatever the address says, and those of server actions,
 * of which there are none here. Next takes some of them out by itself, but not all.
 */
const INTERNAL = /^(x-(middleware|invoke|invocation|nextjs|next|now|matched|prerender|action|vercel)-|x-rsc|next-)/;

/** What pages in a browser send when they ask for parts of a page. */
const OF_PAGES = new Set([
  ...["next-router-state-tree", "next-router-prefetch", "next-router-segment-prefetch", "next-url"],
]);

/** What pages know of the router. */
const ROUTER_STATE = "next-router-state-tree";

/** Takes out of a request what no client has to say to Next, and what Next would answer with a 500. */
export function removeNextHeaders(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) if (INTERNAL.test(name) && !OF_PAGES.has(name)) delete headers[name];
  if (!isRouterState(headers[ROUTER_STATE])) delete headers[ROUTER_STATE];
}

function isRouterState(text: string | string[] | undefined): boolean {
  try {
    parseAndValidateFlightRouterState(text);
    return true;
  } catch {
    return false;
  }
}
