import { useId } from "react";
import { type Figure } from "~/domain/overview/overview.service.server";

/** A bar chart with numbers, followed by a table with the same data. */
export function Chart({ title, columns, chart: { width, height, bars } }: Figure) {
  const id = useId();
  return (
    <section className="card stack" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <svg className="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        {bars.map(({ label, value, ...bar }) => (
          <g key={label}>
            <text x={bar.x - 8} y={bar.y + bar.height / 2} dy="0.35em" textAnchor="end">
              {label}
            </text>
            <rect {...bar} />
            <text x={bar.x + bar.width + 6} y={bar.y + bar.height / 2} dy="0.35em">
              {value}
            </text>
          </g>
        ))}
      </svg>
      <details>
        <summary>{`${title}: table`}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col" className="num">
                {columns[1]}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="num">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
