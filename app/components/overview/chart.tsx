import { useId } from "react";
import { type Figure } from "~/domain/overview/overview.service.server";

/** Bars with their numbers, and the same as a table for those who read it another way. */
export function Chart({ title, columns, chart: { width, height, bars, ticks } }: Figure) {
  const id = useId();
  return (
    <section className="card stack" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <svg className="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        {ticks.map(({ y, value }) => (
          <g key={value} className="tick">
            <line x1={40} x2={width} y1={y} y2={y} />
            <text x={36} y={y} dy="0.35em" textAnchor="end">
              {value}
            </text>
          </g>
        ))}
        {bars.map(({ label, value, ...bar }) => (
          <g key={label}>
            <title>{`${label}: ${value}`}</title>
            <rect {...bar} />
            {value > 0 && (
              <text x={bar.x + bar.width / 2} y={bar.y - 4} textAnchor="middle">
                {value}
              </text>
            )}
            <text x={bar.x + bar.width / 2} y={height - 8} textAnchor="middle">
              {label.replace(/ \d\d(\d\d)$/, " $1")}
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
