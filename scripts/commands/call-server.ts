import { z } from "zod";
import { KEY_HEADERS } from "./key-headers.ts";

/** The address of the running server. */
export const SERVER = process.env.OBELUS_URL || `http://127.0.0.1:${process.env.PORT || "3000"}`;

/** An error that the user can fix. */
export class Refusal extends Error {}

const problem = z.object({ detail: z.string() });

interface Call extends RequestInit {
  /** Another server than that of the environment. */
  server?: string;
  /** The advice when the connection is lost. */
  ifLost?: string;
}

/** Calls the running server. Throws a `Refusal` with its error, or if it cannot be reached. */
export async function callServer(
  path: string,
  { server = SERVER, ifLost = "retry", ...init }: Call = {},
): Promise<Response> {
  const response = await reach(server, path, init, ifLost);
  if (!response.ok) throw new Refusal(await reason(response));
  return response;
}

async function reach(server: string, path: string, init: RequestInit, ifLost: string): Promise<Response> {
  try {
    return await fetch(new URL(path, server), {
      ...init,
      headers: [...new Headers(init.headers), ...Object.entries(KEY_HEADERS)],
    });
  } catch (error) {
    const { code, message } = causeOf(error);
    if (code === "ECONNREFUSED") {
      throw new Refusal(`no server responds at ${server}; start it with npm start, or set OBELUS_URL`);
    }
    throw new Refusal(`the connection to ${server} was lost (${code ?? message}); ${ifLost}`);
  }
}

/** `fetch` has the actual error as its cause. */
function causeOf(error: unknown): { code?: string; message: string } {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return { message: String(cause) };
  return { message: cause.message, ...("code" in cause && { code: String(cause.code) }) };
}

/** The error message; of another server's response the status. */
async function reason(response: Response): Promise<string> {
  const said = problem.safeParse(await response.json().catch(() => null));
  return said.success ? said.data.detail : `the server answered ${response.status} ${response.statusText}`;
}
