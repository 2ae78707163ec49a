interface FiguresProps {
  label: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The cells of a chart as a table, closed until somebody wants it. */
export function Figures({ label, head, rows }: FiguresProps) {
  const [first = "", ...others] = head;
  return (
    <details className="tool-details">
      <summary>{label}</summary>
      <section className="max-h-60 overflow-auto" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{first}</th>
              {others.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name = "", ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, index) => (
                  <td key={others[index]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
