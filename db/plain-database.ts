type Value = string | number | null;
export type Statement = readonly [text: string, values: readonly Value[]];

/** What a storage does for stores whose statements are the same in both. Both read `$1` as the first value. */
export interface PlainDatabase {
  rows<Row extends object>(text: string, values: readonly Value[]): Promise<Row[]>;
  /** Runs statements in one transaction. Returns how many rows each of them wrote. */
  write(statements: readonly Statement[]): Promise<number[]>;
  /** See `LogWriter.epoch`. */
  epoch(): Promise<number>;
  /** Writes what was read of a conversation since `epoch`. Null: it is being erased, or was erased since; nothing is written. */
  writeUnlessErased(
    conversation: { id: string; epoch: number },
    statements: readonly Statement[],
  ): Promise<number[] | null>;
  /** The time of the database as an expression, epoch ms. */
  now: string;
  /** At the end of a SELECT, locks its rows: nobody removes them before the transaction has ended. */
  forShare: string;
}
