import type { PlainDatabase, Statement } from "../plain-database.ts";
import type { Connection } from "./connection.ts";
import type { Writer } from "./log/writer.ts";

/** SQLite for stores whose statements are the same in both storages, in the writer's transactions. */
export function plainDatabase(writing: Connection, reading: Connection, writer: Writer): PlainDatabase {
  const run = (statements: readonly Statement[]) =>
    statements.map(([text, values]) => writing.prepare(text).run(named(values)).changes);
  return {
    rows: async <Row extends object>(text: string, values: readonly unknown[]) =>
      reading.prepare<[Record<string, unknown>], Row>(text).all(named(values)),
    write: (statements) => writer.submit(() => run(statements)),
    epoch: () => writer.epoch(),
    writeUnlessErased: ({ id, epoch }, statements) =>
      writer.submit(() => (writer.erasing.isClosed(id) || writer.erasing.isOld(id, epoch) ? null : run(statements))),
    now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    // There is one writer.
    forShare: "",
  };
}

/** SQLite reads `$1` as a name. */
function named(values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
}
