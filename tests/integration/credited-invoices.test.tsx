import { expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as codesPage from "~/routes/home.codes/route";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { issueCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleFields } from "../support/sales-orders";
import { run, signedInAs } from "../support/visitor";
import { issue, useInvoicing } from "./invoicing";

usePortal();
const { people, act, credit, download } = useInvoicing();

/** Sets the order to Cancelled, as staff do, which credits its invoice. Returns both documents. */
async function cancel(orderId: number) {
  const fields = await saleFields(orderId, { status: "Cancelled", remarks: "Ordered twice", confirmed: "yes" });
  const { status } = await run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(orderId), fields));
  expect(status).toBe(303);
  const [invoice, note] = await invoicesOf(orderId);
  if (!invoice || !note) throw new Error("There are not both documents.");
  return { invoice, note };
}

test("[SAL-05] [CER-06] a certificate's page shows the credited invoice and its credit note, each by its number", async () => {
  const { id, orderId } = await issueCertificate({ customer: people.customer });
  const { invoice, note } = await cancel(orderId);
  const path = paths.certificateDetails(id);
  const { html } = await openPage(detailsPage, people.customer.visitor, path, { params: { id: String(id) } });
  expect(textsOf(html, `a[href="${paths.invoice(invoice.id)}"]`)).toEqual([
    `Download Invoice ${invoice.number} (cancelled)`,
  ]);
  expect(textsOf(html, `a[href="${paths.invoice(note.id)}"]`)).toEqual([`Download Credit note ${note.number}`]);
  const numbers = textsOf(html, 'dt:contains("Invoice number") + dd');
  expect(numbers).toEqual([`${invoice.number}, credit note ${note.number}`]);
  for (const document of [invoice, note]) expect((await download(document.id)).status).toBe(200);
});

const rowOf = async (owner: Parameters<typeof signedInAs>[0], orderId: number) => {
  const { html } = await openPage(codesPage, await signedInAs(owner), paths.codes);
  const row = select(html, `tr:contains("SO-${orderId}")`);
  expect(row).toHaveLength(1);
  return row.html() ?? "";
};

test("[SAL-05] [COD-01] the table of code orders shows both too", async () => {
  const owner = await createUser();
  const id = await createInvoiceableOrder(owner);
  await issue(id);
  const { invoice, note } = await cancel(id);
  const row = await rowOf(owner, id);
  for (const document of [invoice, note]) {
    const link = `a[href="${paths.invoice(document.id)}"]`;
    const marked = document.kind === "invoice" ? `${document.number} (cancelled)` : document.number;
    expect(textsOf(row, link)).toEqual([`Download ${marked} of order SO-${id}`]);
  }
  expect(pageText(row)).toContain(`${invoice.number} credit note ${note.number}`);
});

test("[SAL-05] [COD-01] an invoice issued afterwards is shown beside them", async () => {
  const owner = await createUser();
  const id = await createInvoiceableOrder(owner);
  await issue(id);
  await credit(id, "Wrong company");
  await act(id, { intent: "issue" });
  const numbers = (await invoicesOf(id)).map(({ number }) => `Download ${number}`);
  expect(numbers).toHaveLength(3);
  expect(pageText(await rowOf(owner, id)).match(/Download (INV|CN)-\d{4}-\d{5}/g)).toEqual(numbers);
});
