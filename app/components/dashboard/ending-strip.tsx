import { Link } from "@remix-run/react";
import { type OwnWork } from "~/domain/homepage/own-work.service.server";
import { Card } from "../ui/card";

type Strip = OwnWork["strip"];
type Month = Strip["months"][number];

/** The line on which the bars stand, and the texts below it, in pixels from the top. */
const BASE = 84;
const NAMES = 104;
const YEARS = 122;

const endText = (count: number) => (count === 1 ? "1 certificate ends" : `${count} certificates end`);

/** The name of a month, and its bar with the number when certificates end in it. */
const MonthParts = ({ month, width }: { month: Month; width: string }) => (
  <>
    {month.count > 0 && (
      <>
        <rect
          className={month.isSoon ? "soon" : undefined}
          x={month.barStart}
          width={width}
          y={BASE - month.height}
          height={month.height}
        />
        <text className="amount" x={month.middle} y={BASE - month.height - 8} textAnchor="middle">
          {month.count}
        </text>
      </>
    )}
    <text className={month.count > 0 ? "amount" : undefined} x={month.middle} y={NAMES} textAnchor="middle">
      {month.name}
    </text>
    {month.year && (
      <text x={month.middle} y={YEARS} textAnchor="middle">
        {month.year}
      </text>
    )}
  </>
);

/** How many certificates end in each of the next 12 months. Months with certificates lead to the list. A table says the same. */
export const EndingStrip = ({ months, widths, later }: Strip) => (
  <Card title="Certificates that end, next 12 months">
    <svg className="strip" role="group" aria-label="Certificates that end, by month">
      <line x1="0" x2="100%" y1={BASE} y2={BASE} />
      {months.map((month) =>
        month.to ? (
          <a key={month.label} href={month.to} aria-label={`${month.label}: ${endText(month.count)}`}>
            <rect className="hit" x={month.start} width={widths.month} y="0" height="128" />
            <MonthParts month={month} width={widths.bar} />
          </a>
        ) : (
          <g key={month.label}>
            <MonthParts month={month} width={widths.bar} />
          </g>
        ),
      )}
    </svg>
    {later && <p className="hint">{later}</p>}
    <details>
      <summary>Show as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col" className="num">
              Certificates
            </th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ label, count, to }) => (
            <tr key={label}>
              <th scope="row">{to ? <Link to={to}>{label}</Link> : label}</th>
              <td className="num">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  </Card>
);
