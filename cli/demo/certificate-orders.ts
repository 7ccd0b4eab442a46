import { type SessionUser } from "~/domain/accounts/session-user";
import { completePurchase } from "~/domain/certificates/purchase/completion.service.server";
import { findOpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { purchaseWizard, renewalWizard } from "~/domain/certificates/purchase/wizards.server";
import { readCsrInput } from "~/domain/certificates/request/csr-import.service.server";
import { normaliseCsrText } from "~/domain/certificates/request/csr-text";
import { findOriginal } from "~/domain/certificates/succession/original.server";
import { importOrderCsr } from "~/domain/certificates/succession/successor-csr.server";
import { loadDraft, startDraft } from "~/domain/drafts/drafts.service.server";
import { requesterOf } from "~/domain/keys/key-rules.server";
import { orderVersion } from "~/domain/orders/draft-completion.server";
import { invoiceAddressSchema } from "~/domain/orders/invoice-address.schema";
import { invoiceForm } from "~/domain/orders/invoice.service.server";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { type DemoCompany, emailOf } from "./companies";
import { makeCsr } from "./csr";

export interface Asked {
  company: DemoCompany;
  host: string;
  ssid: string;
  years: number;
  /** Id of the certificate that this one renews. */
  renews?: number;
}

/** Returns the invoice step with the values that are prefilled from the account. */
export async function invoiceOf(user: SessionUser) {
  const { countries, values } = await invoiceForm(user.id, { userId: user.id, data: {} }, false);
  return { typed: values, form: invoiceAddressSchema(countries).parse(values) };
}

const contactOf = ({ company, colleague, ...place }: DemoCompany, country: string) => ({
  name: colleague.name,
  company,
  position: colleague.position,
  email: emailOf(colleague.name, place),
  addressLine1: place.street,
  addressLine2: "",
  city: place.city,
  postalCode: place.postalCode,
  country,
  phoneNumber: place.telephoneNumber,
});

/** Orders a certificate as the wizard does, with `now` as the time of the order. */
export async function orderCertificate(user: SessionUser, asked: Asked, now: Date): Promise<CertificateRow> {
  const { company, host, ssid, years, renews } = asked;
  const csr = await makeCsr(company, host, ssid);
  const original = renews === undefined ? null : await findOriginal(getDb(), renews, now);
  const read = await importOrderCsr(readCsrInput(csr), requesterOf(user), original ?? { oftpid: "", usage: [] });
  if (!read.ok) throw new Error(`demo, ${host}: ${read.messages.join(" ")}`);
  const invoice = await invoiceOf(user);
  const wizard = renews === undefined ? purchaseWizard : renewalWizard;
  const id = await startDraft(wizard, user.id, {
    ...(renews !== undefined && { renews }),
    contact: contactOf(company, invoice.typed.country ?? ""),
    order: {
      csr,
      validityPeriod: String(years),
      purchaseOrderNumber: `4500${1000 + Math.round(now.getTime() / 86_400_000)}`,
      termsAndConditionsAccepted: "on",
    },
    imported: { csr: normaliseCsrText(csr), details: read.details },
  });
  const draft = await loadDraft(wizard, user.id, id);
  const open = draft && (await findOpenOrder(user, draft, now));
  if (!open) throw new Error(`demo, ${host}: the draft cannot be opened`);
  const orderId = await completePurchase(user, open, { ...invoice, seen: orderVersion(open.draft.data) }, now);
  const row = orderId && (await findCertificateByOrder(getDb(), orderId));
  if (!row) throw new Error(`demo, ${host}: there is no order`);
  return row;
}
