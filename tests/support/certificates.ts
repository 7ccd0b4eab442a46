import { randomBytes } from "node:crypto";
import { revokedEntryDer } from "~/ca/crl/entry.server";
import { readCsr } from "~/ca/csr/read.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { contactSearchTextOf, searchTextOf } from "~/domain/certificates/purchase/certificate-columns.server";
import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { foldForSearch } from "~/lib/fold-text";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate, insertCertificate } from "~db/repositories/certificates.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { insertOrder } from "~db/repositories/orders.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { signCsr } from "./csr";
import { createAdmin, createUser } from "./factories";
import { nextRsaKey } from "./keys";
import { SUBJECT } from "./openssl-command";

interface Customer {
  id: number;
  email: string;
  company: string;
}

/** The row of an issued certificate, in which the signed columns are not null. */
export type IssuedCertificate = CertificateRow & { serialNumber: string; der: Buffer };

const contactOf = (email: string, name: string) =>
  JSON.stringify({
    name,
    company: "Example Parts Ltd",
    position: "Manager",
    email,
    addressLine1: "1 Mill Lane",
    addressLine2: "",
    city: "Coventry",
    postalCode: "CV1 1AA",
    countryId: 826,
    country: "United Kingdom",
    phoneNumber: "+44 20 7946 0001",
  });

async function storeOrder(customer: Customer, now: Date): Promise<number> {
  return inTransaction(async (trx) =>
    insertOrder(trx, {
      purchaseOrderType: 1,
      userId: customer.id,
      companyId: await findCompanyId(trx, customer.id),
      status: "Open",
      purchaseOrderNumber: "PO-7",
      createdAt: now,
      updatedAt: now,
      priceCents: 29000,
      discountCents: 0,
      netCents: 29000,
      vatRate: 0.2,
      vatCents: 5800,
      totalCents: 34800,
      invoiceAddress: JSON.stringify({ name: "Anna Müller", company: customer.company, city: "Coventry" }),
      countryId: 826,
      company: customer.company,
      isMaintenance: false,
    }),
  );
}

type Given = Partial<NewRow<"certificates">>;

/** Stores a pending certificate order as the wizard does. Without a CSR its request is a row of random bytes, for list pages. */
export async function createCertificateOrder(
  customer: Customer,
  csr?: string | Uint8Array,
  given: Given = {},
): Promise<CertificateRow> {
  const now = new Date();
  const orderId = await storeOrder(customer, now);
  const read = csr ? readCsr(csr) : undefined;
  if (read && !read.ok) throw new Error(read.message);
  const request = read?.csr;
  const commonName = given.commonName ?? request?.subject.commonName ?? `host-${orderId}.example`;
  const names = request?.subjectAlternateName ?? [];
  const contactEmail = "bernd.boss@example-parts.com";
  const { authenticationContact = contactOf(contactEmail, "Bernd Boss") } = given;
  const id = await inTransaction(async (trx) =>
    insertCertificate(trx, {
      orderId,
      userId: customer.id,
      companyId: await findCompanyId(trx, customer.id),
      status: "Pending",
      orderType: "Initial",
      requestedAt: now,
      updatedAt: now,
      csr: Buffer.from(request?.der ?? randomBytes(32)),
      csrSha256: request?.sha256 ?? randomBytes(32).toString("hex"),
      publicKeySha256: request?.spkiSha256 ?? randomBytes(32).toString("hex"),
      keyIdentity: request?.keyIdentity ?? randomBytes(32).toString("hex"),
      organisation: request?.subject.organisation ?? "Acme GmbH",
      organisationUnit: request?.subject.organisationUnit ?? null,
      locality: request?.subject.locality ?? null,
      state: request?.subject.state ?? null,
      country: request?.subject.country ?? "DE",
      email: request?.subject.email ?? null,
      subjectAlternateName: JSON.stringify(names),
      ssid: request?.ssid ?? null,
      isManualSsid: false,
      hasSecureSession: true,
      hasEmail: true,
      hasEncryption: true,
      hasFileSigning: true,
      validityYears: 2,
      hierarchy: "sha2",
      technicalContact: contactOf(customer.email, "Anna Müller"),
      authenticationContact,
      authenticationEmail: contactEmail,
      sortName: foldForSearch(commonName),
      searchText: searchTextOf({ commonName, names: names.map(({ value }) => value), ssid: request?.ssid }),
      contactSearchText: contactSearchTextOf(parseContact(authenticationContact)),
      ...given,
      commonName,
    }),
  );
  return readCertificate(id);
}

/** Returns the current row. */
export async function readCertificate(id: number): Promise<CertificateRow> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw new Error(`There is no certificate ${id}.`);
  return row;
}

/** Sets columns without any checks, for states that would take long to reach. */
export async function setCertificate(id: number, change: Given): Promise<void> {
  await getDb().updateTable("certificates").set(change).where("id", "=", id).execute();
}

/** Returns the columns of an order with all three checks of staff. */
export const checksDone = (): Given => ({
  contactAnswer: "authorised",
  contactAnsweredAt: new Date(),
  contactAnswerBy: "bernd.boss@example-parts.com",
  organisationCheckedAt: new Date(),
  organisationCheckedBy: "olga@example.org",
  organisationNote: "Register extract",
  csrCheckedAt: new Date(),
  csrCheckedBy: "olga@example.org",
  csrNote: "Agrees",
});

/** Memoized values last as long as the portal of a test file. */
const ownerOfFile = memoize(() => createUser());
const approverOfFile = memoize(() => createApprover());
const csrsOfFile = memoize(() => new Map<number, string>());

/** Returns a CSR whose key is discarded. Each customer has another one, because a key belongs to one account. */
function csrOf({ id }: Customer): string {
  const csr = csrsOfFile().get(id) ?? signCsr({ subject: SUBJECT, san: [], digest: "sha256", key: nextRsaKey() }).pem;
  csrsOfFile().set(id, csr);
  return csr;
}

async function createApprover() {
  const user = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!user) throw new Error("The administrator is not there.");
  return user;
}

export interface IssueOptions {
  /** Default: one customer for the whole test file. */
  customer?: Customer;
  /** PEM or DER. Default: one CSR for each customer of a test file. */
  csr?: string | Uint8Array;
  /** Columns of the order that differ, e.g. its hierarchy. */
  order?: Given;
  /** When it is approved. Its validity starts then. */
  now?: Date;
}

/** Returns a certificate that was ordered, checked, approved and issued as the portal does it. Change the row with `setCertificate`. */
export async function issueCertificate({ customer, csr, order, now }: IssueOptions = {}): Promise<IssuedCertificate> {
  const owner = customer ?? (await ownerOfFile());
  const approver = await approverOfFile();
  const { id } = await createCertificateOrder(owner, csr ?? csrOf(owner), { ...checksDone(), ...order });
  const row = await approveOrder(id, approver, now);
  const { serialNumber, der } = row;
  if (serialNumber === null || der === null) throw new Error(`Certificate ${id} has not been issued.`);
  return { ...row, serialNumber, der };
}

/** Stores a revocation as the portal does in its transaction, but publishes nothing. */
export async function storeRevocation(
  { id, serialNumber }: Pick<IssuedCertificate, "id" | "serialNumber">,
  { reason = 1, at = new Date() }: { reason?: number; at?: Date } = {},
): Promise<void> {
  const entry = revokedEntryDer({ serial: serialNumber, revocationDate: at, reason });
  await setCertificate(id, {
    status: "Revoked",
    revocationDate: at,
    revocationReason: reason,
    revokedCertificateDer: Buffer.from(entry),
  });
}

export const auditEventsOf = async (certificateId: number): Promise<string[]> =>
  (
    await getDb()
      .selectFrom("auditEntries")
      .select("event")
      .where("certificateId", "=", certificateId)
      .orderBy("id")
      .execute()
  ).map(({ event }) => event);

const mails = (orderId: number) => getDb().selectFrom("mails").selectAll().where("orderId", "=", orderId).orderBy("id");

/** Returns the messages about an order, except those with an invoice. */
export const mailsOf = (orderId: number) => mails(orderId).where("invoiceId", "is", null).execute();

export const invoiceMailsOf = (orderId: number) => mails(orderId).where("invoiceId", "is not", null).execute();
