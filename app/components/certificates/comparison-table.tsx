import { type PartyComparison } from "~/domain/certificates/queue/comparison.policy";

/** The CSR, the company and the contacts of an order side by side, with marks at the words that differ. */
export const ComparisonTable = ({ columns, rows, summary }: PartyComparison) => (
  <div className="tbl">
    <table className="compare">
      <caption>
        CSR, company and contact <span className="muted">– {summary}</span>
      </caption>
      <thead>
        <tr>
          {["Field", "Result", ...columns].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, finding, result, cells }) => (
          <tr key={label} className={finding}>
            <th scope="row">{label}</th>
            <td className="says">{result}</td>
            {cells.map((pieces, index) => (
              <td key={columns[index]} data-l={columns[index]}>
                {pieces.length > 0 && (
                  <div>{pieces.map((text, at) => (at % 2 ? <mark key={at}>{text}</mark> : text))}</div>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
