import { join } from "node:path";
import { z } from "zod";
import { MOST_APPROVALS } from "../../../session/events/most-approvals.ts";
import { AgentsFileError, readAgentsFile } from "../agents-file.ts";

/** Longest time for one try, in ms, unless the file says otherwise: as for HTTP tools. */
const TIMEOUT_MS = 30_000;

const approvals = z.int().min(1).max(MOST_APPROVALS);

const server = z
  .strictObject({
    command: z.string().min(1, "must not be empty").optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    url: z.url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" }).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** The tools to take, by their names there; without it all. */
    tools: z.array(z.string()).optional(),
    /** For all its tools; without it those that call themselves destructive are confirmed. */
    requires_confirmation: z.boolean().optional(),
    /** How many different people have to approve each call: one number for all its tools, or by their names there. */
    approvals: z
      .union([approvals, z.record(z.string(), approvals)], {
        error: `must be from 1 to ${MOST_APPROVALS}, or such a number by the names of tools`,
      })
      .optional(),
    timeout_ms: z.int().min(1).max(3_600_000).default(TIMEOUT_MS),
  })
  .superRefine(({ command, args, env, url, headers, tools, approvals: people }, { addIssue }) => {
    const refuse = (field: string, message: string) => addIssue({ code: "custom", path: [field], message });
    if (command === undefined && url === undefined) refuse("command", "is required unless url is set");
    if (command !== undefined && url !== undefined) refuse("url", "cannot be combined with command");
    if (url === undefined && headers) refuse("headers", "is only allowed with url");
    if (command === undefined && args) refuse("args", "is only allowed with command");
    if (command === undefined && env) refuse("env", "is only allowed with command");
    const named = typeof people === "object" ? Object.keys(people) : [];
    const left = named.find((name) => tools && !tools.includes(name));
    if (left !== undefined) refuse("approvals", `names ${left}, which is not among tools`);
  });

/** One entry of `agents/mcp.json`: a command that talks on its standard streams, or an address (streamable HTTP). */
export type McpServer = z.infer<typeof server>;

const file = z.strictObject({
  servers: z.record(
    z
      .string()
      .regex(/^[\p{L}\p{N}_-]+$/u, "must contain only letters, digits, - and _, because tools are named server.tool"),
    server,
  ),
});

/**
 * Reads `mcp.json` of the agents' folder; without one there are no servers. `${NAME}` in `env` and `headers` is taken
 * from the environment, so that no secret has to stand in the file.
 *
 * Throws `AgentsFileError` naming the file and the field.
 */
export async function readMcpServers(
  folder: string,
  environment: Record<string, string | undefined>,
): Promise<Map<string, McpServer>> {
  const path = join(folder, "mcp.json");
  const { servers } = (await readAgentsFile(path, file)) ?? { servers: {} };
  return new Map(
    Object.entries(servers).map(([name, server]) => {
      const fill = (field: "env" | "headers") =>
        server[field] && {
          [field]: mapValues(server[field], (value, key) =>
            value.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
              const found = environment[variable];
              if (found !== undefined) return found;
              throw new AgentsFileError(
                path,
                `/servers/${name}/${field}/${key} requires the environment variable ${variable}`,
              );
            }),
          ),
        };
      return [name, { ...server, ...fill("env"), ...fill("headers") }];
    }),
  );
}

function mapValues(
  record: Record<string, string>,
  change: (value: string, key: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
