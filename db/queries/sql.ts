type Value = string | number;

/** A piece of SQL with the values for its marks. */
export interface Sql {
  text: string;
  values: Value[];
}

/** SQL with its values in place: each `${value}` becomes a mark, each `${piece}` of SQL is taken in as it is. */
export function sql(texts: TemplateStringsArray, ...parts: (Value | Sql)[]): Sql {
  const piece: Sql = { text: texts[0] ?? "", values: [] };
  for (const [index, part] of parts.entries()) {
    const taken = typeof part === "object" ? part : { text: "?", values: [part] };
    piece.text += `${taken.text}${texts[index + 1] ?? ""}`;
    piece.values.push(...taken.values);
  }
  return piece;
}

/** All of the conditions; null ones ask for nothing. */
export function and(...conditions: (Sql | null)[]): Sql {
  const asked = conditions.filter((condition) => condition !== null);
  if (asked.length === 0) return sql`true`;
  return { text: asked.map(({ text }) => `(${text})`).join(" AND "), values: asked.flatMap(({ values }) => values) };
}
