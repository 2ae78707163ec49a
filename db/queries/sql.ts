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
