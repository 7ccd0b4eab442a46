import { type InvoiceLine } from "~/domain/orders/invoices/invoice-content";
import { formatEuro } from "~/lib/money";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { TotalsTable } from "../orders/order-summary";
import { PhoneFold } from "../ui/phone-fold";

interface Preview {
  buyer: { company: string; name: string; address: string[]; vatNumber: string | null };
  lines: InvoiceLine[];
  netCents: number;
  vatRate: number;
  vatCents: number;
  totalCents: number;
  vatNote: string;
}

const columns: Column<InvoiceLine>[] = [
  {
    key: "description",
    label: "Description",
    cell: ({ description, detail }) => [description, detail].filter(Boolean).join(", "),
    rowHeader: true,
  },
  { key: "quantity", label: "Quantity", cell: ({ quantity }) => quantity, numeric: true },
  { key: "unit", label: "Unit price", cell: ({ unitCents }) => formatEuro(unitCents), numeric: true },
  { key: "net", label: "Net amount", cell: ({ netCents }) => formatEuro(netCents), numeric: true },
];

/** The contents of an invoice before it is issued. */
export function InvoicePreview({ preview }: { preview: Preview }) {
  const { buyer, lines, netCents, vatRate, vatCents, totalCents, vatNote } = preview;
  return (
    <PhoneFold
      summary={
        <>
          {formatEuro(totalCents)}, to <bdi>{buyer.company}</bdi>
        </>
      }
    >
      <div className="stack-l">
        <p>
          <bdi>{buyer.company}</bdi>
          {[buyer.name, ...buyer.address].map((line) => (
            <span key={line}>
              <br />
              <bdi>{line}</bdi>
            </span>
          ))}
          {buyer.vatNumber !== null && (
            <>
              <br />
              VAT number {buyer.vatNumber}
            </>
          )}
        </p>
        <DataTable caption="Lines of the invoice" columns={columns} rows={lines} rowKey={(row) => row.description} />
        <TotalsTable
          caption="Amounts of the invoice"
          lines={[
            { label: "Net amount", value: formatEuro(netCents) },
            { label: `VAT amount (${Number((vatRate * 100).toFixed(2))}%)`, value: formatEuro(vatCents) },
          ]}
          total={{ label: "Total", value: formatEuro(totalCents) }}
        />
        {vatNote && <p>{vatNote}</p>}
      </div>
    </PhoneFold>
  );
}
