import { type OrderInvoices } from "~/domain/orders/invoices/invoices.service.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { ButtonRow, LinkButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { DownloadLink } from "../ui/download-link";
import { Time } from "../ui/time";

type Document = OrderInvoices["documents"][number];

export const DocumentLink = ({ id, number }: Pick<Document, "id" | "number">) => (
  <DownloadLink href={paths.invoice(id)}>
    Download<span className="vh"> {number}</span>
  </DownloadLink>
);

const documentItem = (document: Document) => ({
  term: document.label,
  detail: (
    <>
      {document.number}, <Time value={document.issuedAt} />, {formatEuro(document.totalCents)}
    </>
  ),
  action: <DocumentLink {...document} />,
});

/** For staff: the documents of a sales order, and the link to issue an invoice or a credit note. */
export function InvoiceCard({ invoices }: { invoices: OrderInvoices }) {
  const { documents, current, barrier, orderId, mayChange, ofMonth } = invoices;
  return (
    <Card title="Invoice">
      <DescriptionList items={documents.map(documentItem)} />
      {!current && barrier && <p>{barrier}</p>}
      {ofMonth && <p>{ofMonth}</p>}
      {mayChange && (current || !barrier) && (
        <ButtonRow>
          <LinkButton to={rarePaths.salesOrderInvoice(orderId)}>
            {current ? current.caption : "Issue invoice"}
          </LinkButton>
        </ButtonRow>
      )}
    </Card>
  );
}
