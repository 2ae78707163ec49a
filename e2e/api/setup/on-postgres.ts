import { inject } from "vitest";
import { TEST_POSTGRES } from "../../../db/postgres/testing/for-data-dir.ts";

// Servers that are started from here on have their data in Postgres.
process.env[TEST_POSTGRES] = inject("postgres");
