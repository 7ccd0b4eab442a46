import { Card } from "../ui/card";

export interface Line {
  label: React.ReactNode;
  value: React.ReactNode;
}

interface TotalsProps {
  lines: readonly Line[];
  total: Line;
  caption: string;
}

export function TotalsTable({ lines, total, caption }: TotalsProps) {
  return (
    <table className="sum">
      <caption className="vh">{caption}</caption>
      <tbody>
        {lines.map((line, index) => (
          <tr key={index}>
            <th scope="row">{line.label}</th>
            <td>{line.value}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{total.label}</th>
          <td aria-live="polite">{total.value}</td>
        </tr>
      </tfoot>
    </table>
  );
}

interface Props extends Omit<TotalsProps, "caption"> {
  title?: string;
  note?: React.ReactNode;
}

/** Stays beside the form while the user completes the order. */
export function OrderSummary({ title = "Order summary", note, lines, total }: Props) {
  return (
    <aside>
      <Card title={title}>
        <TotalsTable lines={lines} total={total} caption={title} />
        {note && <p className="hint">{note}</p>}
      </Card>
    </aside>
  );
}
