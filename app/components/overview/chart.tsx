import { useId } from "react";
import { type Figure } from "~/domain/overview/overview.service.server";

type Bar = Figure["chart"]["bars"][number];

/** A label, its bar and the number. */
const BarParts = ({ label, value, x, y, width, height }: Bar) => (
  <>
    <text x={x - 8} y={y + height / 2} dy="0.35em" textAnchor="end">
      {label}
    </text>
    <rect x={x} y={y} width={width} height={height} />
    <text x={x + width + 6} y={y + height / 2} dy="0.35em">
      {value ?? "–"}
    </text>
  </>
);

/** A bar chart with numbers, followed by a table with the same data. Bars lead to the lists behind them, where there are some. */
export function Chart({ title, columns, chart: { width, height, bars } }: Figure) {
  const id = useId();
  return (
    <section className="card stack" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <svg
        className="chart"
        viewBox={`0 0 ${width} ${height}`}
        role={bars.some(({ to }) => to) ? "group" : "img"}
        aria-labelledby={id}
      >
        {bars.map((bar) =>
          bar.to ? (
            <a key={bar.label} href={bar.to} aria-label={`${bar.label}: ${bar.value ?? "none"}`}>
              <BarParts {...bar} />
            </a>
          ) : (
            <g key={bar.label}>
              <BarParts {...bar} />
            </g>
          ),
        )}
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
            {bars.map(({ label, value, to }) => (
              <tr key={label}>
                <th scope="row">{to ? <a href={to}>{label}</a> : label}</th>
                <td className="num">{value ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
