import { randomBytes } from "node:crypto";
import { readCsr } from "~/ca/csr/read.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuance.service.server";
import { foldText, searchTextOf } from "~/domain/certificates/search-text";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate, insertCertificate } from "~db/repositories/certificates.server";
import { insertOrder } from "~db/repositories/orders.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";

interface Customer {
  id: number;
  email: string;
  company: string;
}

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
  return inTransaction((trx) =>
    insertOrder(trx, {
      purchaseOrderType: 1,
      userId: customer.id,
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

/** Stores a pending certificate order as the wizard does. Without a CSR its request is a row of random bytes, for lists. */
export async function createCertificateOrder(
  customer: Customer,
  csrDer?: Uint8Array,
  given: Given = {},
): Promise<CertificateRow> {
  const now = new Date();
  const orderId = await storeOrder(customer, now);
  const read = csrDer ? readCsr(csrDer) : undefined;
  if (read && !read.ok) throw new Error(read.message);
  const csr = read?.csr;
  const commonName = given.commonName ?? csr?.subject.commonName ?? `host-${orderId}.example`;
  const names = csr?.subjectAlternateName ?? [];
  const contactEmail = "bernd.boss@example-parts.com";
  const id = await inTransaction((trx) =>
    insertCertificate(trx, {
      orderId,
      userId: customer.id,
      status: "Pending",
      orderType: "Initial",
      requestedAt: now,
      updatedAt: now,
      csr: Buffer.from(csr?.der ?? randomBytes(32)),
      csrSha256: csr?.sha256 ?? randomBytes(32).toString("hex"),
      publicKeySha256: csr?.spkiSha256 ?? randomBytes(32).toString("hex"),
      keyIdentity: csr?.keyIdentity ?? randomBytes(32).toString("hex"),
      organisation: csr?.subject.organisation ?? "Acme GmbH",
      organisationUnit: csr?.subject.organisationUnit ?? null,
      locality: csr?.subject.locality ?? null,
      state: csr?.subject.state ?? null,
      country: csr?.subject.country ?? "DE",
      email: csr?.subject.email ?? null,
      subjectAlternateName: JSON.stringify(names),
      ssid: csr?.ssid ?? null,
      isManualSsid: false,
      hasSecureSession: true,
      hasEmail: true,
      hasEncryption: true,
      hasFileSigning: true,
      validityYears: 2,
      hierarchy: "sha2",
      technicalContact: contactOf(customer.email, "Anna Müller"),
      authenticationContact: contactOf(contactEmail, "Bernd Boss"),
      authenticationEmail: contactEmail,
      sortName: foldText(commonName),
      ownerText: foldText(customer.company),
      searchText: searchTextOf({ commonName, names: names.map(({ value }) => value), ssid: csr?.ssid }),
      ...given,
      commonName,
    }),
  );
  return readCertificate(id);
}

/** The row as it is now. */
export async function readCertificate(id: number): Promise<CertificateRow> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw new Error(`There is no certificate ${id}.`);
  return row;
}

/** Sets columns past every rule: for states that would take long to reach. */
export async function setCertificate(id: number, change: Given): Promise<void> {
  await getDb().updateTable("certificates").set(change).where("id", "=", id).execute();
}

/** All three checks of staff are recorded. */
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

/** A certificate that was ordered, checked, approved by `admin` and issued. */
export async function issueCertificate(
  customer: Customer,
  admin: { id: number },
  csrDer: Uint8Array,
  given: Given = {},
): Promise<CertificateRow> {
  const { id } = await createCertificateOrder(customer, csrDer, { ...checksDone(), ...given });
  const user = await findSessionUser(admin.id, 0);
  if (!user) throw new Error("The administrator is not there.");
  return approveOrder(id, user);
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

export const mailsOf = (orderId: number) =>
  getDb().selectFrom("mails").selectAll().where("orderId", "=", orderId).orderBy("id").execute();
