import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { bundledThreads } from "./scripts/bundled-threads.mjs";

const root = fileURLToPath(new URL("./", import.meta.url));
const RULES = "scripts/rules/import-rules.test.ts";
const POSTGRES = "{db/postgres/**/*,lib/server/wiring/replicas}.test.ts";

/** Tests of servers that do not run on Postgres; a new one does. */
const SQLITE_ONLY = [
  // They are about the files of a data directory, or the process.
  "e2e/api/server/{durability,faults-disk,faults-kill,faults-clock,image,package,process,start}.test.ts",
  "e2e/api/access/{owner-only,read-only}.test.ts",
  // They are about what a server does before it asks its storage: parsing, sign-in by others, pages, the API's description.
  "e2e/api/access/{fuzz,guard,input,oidc,secrets}.test.ts",
  "e2e/api/server/openapi.test.ts",
  "e2e/api/records/first-load.test.ts",
  "e2e/security/{second-gate,strangers}.test.ts",
  // They are about programs outside: clients, assistants, exporters and their files, a CRM, a model.
  "e2e/api/server/faults-outside.test.ts",
  "e2e/api/records/{client,client-packages,connect,exporters,import-formats}.test.ts",
  "e2e/api/dialogs/{crm-failures,crm-turns,model-apis}.test.ts",
  "e2e/api/runs/{mcp,model-runs,prompts,suite}.test.ts",
  // They put a server under load, as the benchmark of replicas does.
  "e2e/api/records/{import-size,slow-readers}.test.ts",
  "e2e/api/dialogs/many-dialogs.test.ts",
];

/** Without the times of an earlier run, long files come first. Those of contracts are short, take the longest, and ran alone at the end. */
class ContractsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isContract = ({ moduleId }: TestSpecification) => /\/contract\/[^/]+$/.test(moduleId);
    return [...sorted.filter(isContract), ...sorted.filter((file) => !isContract(file))];
  }
}

// Threads that tests start load the same modules: compiled once, that takes half.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("./node_modules/.cache/compiled", import.meta.url));

export default defineConfig({
  resolve: { alias: { "@": root } },
  plugins: [bundledThreads()],
  test: {
    environment: "node",
    // By itself it leaves a core free: on two cores that is one file after another.
    maxWorkers: 2,
    // Tests of properties and of whole servers share two cores with each other: the longest take 30 s alone.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["scripts/long-poll-timeouts.ts"],
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: ContractsFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "replicas",
          include: ["e2e/replicas/**/*.test.ts"],
          globalSetup: ["e2e/build.ts"],
          maxWorkers: 1,
        },
      },
      { extends: true, test: { name: "rules", include: [RULES] } },
      {
        extends: true,
        test: {
          name: "unit",
          // Each file in a world of its own loads all modules anew: that took half of the time.
          isolate: false,
          // Those of retries and of programs that do not end wait for 40 s of their 200.
          maxWorkers: 3,
          include: ["{app,bench,components,db,demo,lib,scripts}/**/*.test.{ts,tsx}"],
          exclude: [RULES, POSTGRES],
        },
      },
      {
        extends: true,
        test: { name: "postgres", include: [POSTGRES], globalSetup: ["db/postgres/testing/setup.ts"], isolate: false },
      },
      {
        extends: true,
        // They wait for servers half of their time: a third one uses what two leave of two cores.
        test: {
          name: "api",
          include: ["e2e/{api,security}/**/*.test.ts"],
          globalSetup: ["e2e/build.ts"],
          isolate: false,
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: "api-postgres",
          include: ["e2e/{api,security}/**/*.test.ts"],
          exclude: SQLITE_ONLY,
          globalSetup: ["e2e/build.ts", "db/postgres/testing/setup.ts"],
          setupFiles: ["scripts/long-poll-timeouts.ts", "e2e/api/setup/on-postgres.ts"],
          isolate: false,
          maxWorkers: 3,
        },
      },
    ],
  },
});
