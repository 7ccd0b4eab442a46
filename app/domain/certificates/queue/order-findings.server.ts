import { type Csr } from "~/ca/csr/read.server";
import { personName } from "~/domain/companies/people.server";
import { findAuthorisedContact } from "~/domain/orders/corrections/authorised-contact.server";
import { parseInvoiceAddress } from "~/domain/orders/invoice-address.schema";
import { type VatState } from "~/domain/reference/vat.service.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { addressText, type PostalAddress } from "~/lib/postal-address";
import { getDb } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { countCertificates } from "~db/repositories/certificate-list.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type Country, listCountries } from "~db/repositories/countries.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { type UserRow } from "~db/repositories/users.server";
import { type ContactSnapshot, parseContact } from "../purchase/contact.schema";
import { changesText, findStatedCorrection } from "../succession/correction-notes.server";
import { type Compared, compareParties, type PartyComparison } from "./comparison.policy";

const EMPTY = { department: "", state: "", oftpId: "" };

const streetOf = ({ addressLine1, addressLine2, addressLine3 }: PostalAddress): string =>
  [addressLine1, addressLine2, addressLine3].filter(Boolean).join(", ");

const withPosition = (name: string, position: string): string => [name, position].filter(Boolean).join(", ");

const countryText = (country: Country | undefined): string => (country ? `${country.name} (${country.iso})` : "");

/** The details of a contact as they were stored with the order. Some stored orders do not have all of them. */
const contactSide = (title: string, stored: Partial<ContactSnapshot>, countries: readonly Country[]): Compared => ({
  ...EMPTY,
  title,
  organisation: stored.company ?? "",
  street: streetOf({ ...stored, country: "" }),
  postalCode: stored.postalCode ?? "",
  town: stored.city ?? "",
  country: countryText(countries.find(({ id }) => id === stored.countryId)) || (stored.country ?? ""),
  person: withPosition(stored.name ?? "", stored.position ?? ""),
  email: stored.email ?? "",
  telephone: stored.phoneNumber ?? "",
});

async function companySide(owner: UserRow, countries: readonly Country[]): Promise<Compared> {
  const address = await findAddress(getDb(), owner.companyAddressId);
  return {
    ...EMPTY,
    title: "Company",
    organisation: owner.company,
    street: address ? streetOf({ ...address, country: "" }) : "",
    postalCode: address?.postalCode ?? "",
    town: address?.city ?? "",
    state: address?.region ?? "",
    country: countryText(countries.find(({ id }) => id === address?.country)),
    person: withPosition(personName(owner), owner.position),
    email: owner.email,
    telephone: owner.telephoneNumber,
  };
}

const csrSide = (row: CertificateRow, countries: readonly Country[]): Compared => ({
  title: "CSR",
  organisation: row.organisation,
  department: row.organisationUnit ?? "",
  street: "",
  postalCode: "",
  town: row.locality ?? "",
  state: row.state ?? "",
  country: countryText(countries.find(({ iso }) => iso === row.country.toUpperCase())) || row.country,
  person: "",
  email: row.email ?? "",
  telephone: "",
  oftpId: row.ssid ?? "",
});

/**
 * Compares the CSR of an order with its company and its contacts, the authentication contact as it authorised the order. `owner` is the customer
 * with the company that ordered.
 */
export async function comparisonOf(row: CertificateRow, owner: UserRow): Promise<PartyComparison> {
  const countries = await listCountries(getDb());
  const { contact } = await findAuthorisedContact(getDb(), row);
  return compareParties({
    csr: csrSide(row, countries),
    company: await companySide(owner, countries),
    user: contactSide("User contact", parseContact(row.technicalContact), countries),
    contact: contactSide("Contact", contact, countries),
  });
}

/** Something that the portal knows about an order, for the checks. */
export interface OrderFact {
  title: string;
  text: string;
  /** Whether staff should look into it. */
  isLook: boolean;
  link?: { to: string; label: string };
}

/** What is known about a VAT number, inside a sentence. Other pages have these words with a badge (`VatNumber`). */
const VAT_TEXTS: Readonly<Record<VatState, string>> = {
  confirmed: "confirmed by the VAT service",
  unanswered: "not checked: the VAT service did not answer",
  "no-service": "not checked: no VAT service is configured for it",
  unasked: "not checked yet",
  "not-due": "no check due in this country",
};

const vatText = ({ number, state }: NonNullable<Known["vat"]>): string => `${number}, ${VAT_TEXTS[state]}`;

/** Returns what is paid and by whom, in words, with what matters most as `note`. Staff compare the buyer with the subject. */
export function saleFactsOf(sale: OrderRow, vat: Known["vat"]) {
  const to = parseInvoiceAddress(sale.invoiceAddress);
  return {
    note: `${sale.status}, ${formatEuro(sale.totalCents)}`,
    facts: [
      { term: "Purchase order number", detail: sale.purchaseOrderNumber },
      { term: "Status", detail: sale.status },
      { term: "Remarks", detail: sale.remarks },
      { term: "Promotion code", detail: sale.promotionCode },
      { term: "Net amount", detail: formatEuro(sale.netCents) },
      { term: "VAT amount", detail: formatEuro(sale.vatCents) },
      { term: "Total", detail: formatEuro(sale.totalCents) },
      { term: "Invoice address", detail: [to.name, to.company, addressText(to)].filter(Boolean).join(", ") },
      { term: "Invoice email", detail: to.email ?? "" },
      { term: "VAT number", detail: vat && vatText(vat) },
    ],
  };
}

const counted = (count: number): string => `${count} ${count === 1 ? "certificate" : "certificates"}`;

async function earlierFact({ companyId }: CertificateRow): Promise<OrderFact> {
  const count = (statuses?: readonly CertificateRow["status"][]) =>
    countCertificates(getDb(), { companyId, terms: [], ...(statuses && { statuses }) });
  const issued = await count(["Issued", "Downloaded", "Renewed", "Expired", "RequestRevoke", "Revoked"]);
  const revoked = await count(["Revoked"]);
  const text =
    issued === 0 ? "No certificate of this company yet." : `${counted(issued)}, ${revoked || "none"} revoked.`;
  return {
    title: "Earlier orders",
    text,
    isLook: revoked > 0,
    link: { to: paths.companyPage(companyId), label: "See the company" },
  };
}

/** Says that an order corrects a certificate, and what differs from it. Staff look at it first. */
async function correctionFacts(row: CertificateRow): Promise<OrderFact[]> {
  const stated = await findStatedCorrection(row);
  if (!stated) return [];
  const { number, corrects } = stated;
  return [
    {
      title: `Correction ${number} of certificate ${corrects}`,
      text: changesText(stated),
      isLook: true,
      link: { to: paths.certificateDetails(corrects), label: `See certificate ${corrects}` },
    },
  ];
}

interface Known {
  row: CertificateRow;
  owner: UserRow;
  csr: Csr;
  vat: { number: string; state: VatState } | null;
  /** Whether something is wrong with the key, or another order has it. */
  isKeyMarked: boolean;
  hasOtherDomain: boolean;
}

/** Returns what the portal knows about an order beside the comparison. What needs a look comes first. */
export async function factsOf({ row, owner, csr, vat, isKeyMarked, hasOtherDomain }: Known): Promise<OrderFact[]> {
  const number = owner.companyRegistrationNumber;
  const facts: OrderFact[] = [
    ...(await correctionFacts(row)),
    {
      title: "Company registration number",
      text: number ?? "The company has not entered one.",
      isLook: number === null,
    },
    {
      title: "VAT number",
      text: vat ? vatText(vat) : "The order has none.",
      isLook: vat !== null && !["confirmed", "not-due"].includes(vat.state),
    },
    {
      title: "Customer's email address",
      text: owner.emailVerifiedAt === null ? "Not verified" : "Verified",
      isLook: owner.emailVerifiedAt === null,
    },
    {
      title: "Contact's email address",
      text: hasOtherDomain
        ? "The email address belongs to another domain than the customer's."
        : "It has the domain of the customer's address.",
      isLook: hasOtherDomain,
    },
    {
      title: "Key",
      text: `${csr.publicKey.algorithm}, ${csr.publicKey.bits} bits. ${isKeyMarked ? "See the notes about it." : "No other certificate or order has it, and it is not blocked."}`,
      isLook: isKeyMarked,
    },
    await earlierFact(row),
  ];
  return facts.toSorted((one, other) => Number(other.isLook) - Number(one.isLook));
}
