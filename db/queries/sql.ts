type Value = string | number;

/** A fragment of SQL with its parameters. */
export interface Sql {
  text: string;
  values: Value[];
}

/** SQL with parameters: a `${value}` becomes a placeholder, a `${fragment}` is inserted. */
export function sql(texts: TemplateStringsArray, ...parts: (Value | Sql)[]): Sql {
  const piece: Sql = { text: texts[0] ?? "", values: [] };
  for (const [index, part] of parts.entries()) {
    const taken = typeof part === "object" ? part : { text: "?", values: [part] };
    piece.text += `${taken.text}${texts[index + 1] ?? ""}`;
    piece.values.push(...taken.values);
  }
  return piece;
}

/** The conjunction of conditions; null ones are left out. */
export function and(...conditions: (Sql | null)[]): Sql {
  const asked = conditions.filter((condition) => condition !== null);
  if (asked.length === 0) return sql`true`;
  return { text: asked.map(({ text }) => `(${text})`).join(" AND "), values: asked.flatMap(({ values }) => values) };
}

/** Rows from which a list is found, if no more match: looking their conversations up takes 0.1 s. */
const FEW = 20_000;

/** Whether few rows are in this source, `most` of them, 1 or 0 as `few`. */
export function areFew(from: Sql, most = FEW): Sql {
  return sql`SELECT CASE WHEN count(*) > ${most} THEN 0 ELSE 1 END AS few FROM (SELECT 1 FROM ${from} LIMIT ${most + 1}) AS found`;
}

/** Whether the value of a column is among what is selected, which is found first: a storage has its own way to be made to. */
export type Among = (column: string, selected: Sql) => Sql;

export const isIn: Among = (column, selected) => sql`${{ text: column, values: [] }} IN (${selected})`;
