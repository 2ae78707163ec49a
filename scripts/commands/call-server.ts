import { z } from "zod";
import { KEY_HEADERS } from "./key-headers.ts";

/** The running server that the tools speak to. */
export const SERVER = process.env.OBELUS_URL || `http://127.0.0.1:${process.env.PORT || "3000"}`;

/** Something the person at the terminal can put right. */
export class Refusal extends Error {}

const problem = z.object({ detail: z.string() });

interface Call extends RequestInit {
  /** Another server than the one of the environment. */
  server?: string;
}

/** Asks the running server. Throws a `Refusal` with what it says when it refuses, or when it cannot be reached. */
export async function callServer(path: string, { server = SERVER, ...init }: Call = {}): Promise<Response> {
  const response = await reach(server, path, init);
  if (!response.ok) throw new Refusal(await reason(response));
  return response;
}

async function reach(server: string, path: string, init: RequestInit): Promise<Response> {
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
    throw new Refusal(`the connection to ${server} was lost (${code ?? message}); retry`);
  }
}

/** fetch hides what went wrong one level down. */
function causeOf(error: unknown): { code?: string; message: string } {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return { message: String(cause) };
  return { message: cause.message, ...("code" in cause && { code: String(cause.code) }) };
}

/** What the server says; an answer that is not ours still has its status. */
async function reason(response: Response): Promise<string> {
  const said = problem.safeParse(await response.json().catch(() => null));
  return said.success ? said.data.detail : `the server answered ${response.status} ${response.statusText}`;
}
