import { type Correction } from "~/domain/orders/corrections/correction";

/** What a correction changes: the former and the new values side by side. */
export const ChangesTable = ({ changes }: { changes: readonly Correction[] }) => (
  <div className="tbl">
    <table className="compare">
      <caption>What changes</caption>
      <thead>
        <tr>
          {["Field", "Now", "Corrected"].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, from, to }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td data-l="Now">{from || "–"}</td>
            <td data-l="Corrected">{to || "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
