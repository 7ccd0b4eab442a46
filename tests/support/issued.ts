import { randomBytes } from "node:crypto";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { prepareCertificate } from "~/ca/certificate/prepare.server";
import { revokedEntryDer } from "~/ca/crl/entry.server";
import { generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { issuerOf } from "~/domain/authorities/catalogue";
import { getSigner } from "~/domain/authorities/signers.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { type HierarchyName, type NewRow } from "~db/tables";
import { createUser } from "./factories";

let keys: ReturnType<typeof generateRsaKey> | undefined;
let owner: ReturnType<typeof createUser> | undefined;

/** A certificate order of this user (or of one for the whole test file). Out: its id and its owner. */
export async function createOrder(given: Partial<NewRow<"orders">> = {}) {
  const user = await (owner ??= createUser());
  const now = new Date();
  const { id } = await getDb()
    .insertInto("orders")
    .values({
      purchaseOrderType: 1,
      userId: user.id,
      status: "Open",
      purchaseOrderNumber: "PO-1",
      createdAt: now,
      updatedAt: now,
      priceCents: 29000,
      discountCents: 0,
      netCents: 29000,
      vatRate: 0.2,
      vatCents: 5800,
      totalCents: 34800,
      invoiceAddress: "{}",
      countryId: 826,
      company: user.company,
      isMaintenance: false,
      ...given,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, owner: user };
}

export interface IssueOptions {
  hierarchy?: HierarchyName;
  now?: Date;
  expiryDate?: Date;
  /** Columns of the row that differ. */
  row?: Partial<NewRow<"certificates">>;
}

/** Signs a certificate with the real issuing CA and stores it as issued. Out: its row's id, serial number and DER. */
export async function issueCertificate({
  hierarchy = "sha2",
  now = new Date(),
  row = {},
  ...options
}: IssueOptions = {}) {
  const { id: orderId, owner: user } = await createOrder();
  const authority = await getAuthority(getDb(), issuerOf(hierarchy));
  const signer = await getSigner(authority.name);
  const spkiDer = spkiDerOf((await (keys ??= generateRsaKey(2048))).publicKey);
  const { crl, deltaCrl, caIssuers, ocsp, cps } = authorityUrls(authority.name);
  const usage = { hasSecureSession: true, hasEmail: true, hasEncryption: true, hasFileSigning: true };
  const subject = { commonName: `edi-${orderId}.example.com`, organisation: user.company, country: "GB" };
  const { serial, tbs } = prepareCertificate({
    issuer: readIssuer(authority.certificate),
    hash: signer.hash,
    subject,
    ssid: null,
    requestedNames: [],
    spkiDer,
    usage,
    policy: { oid: "2.999.1", cpsUri: cps },
    urls: { crl, caIssuers, ocsp, ...(deltaCrl && { freshestCrl: deltaCrl }) },
    notAfter: addDays(now, 365),
    now,
    random: randomBytes,
  });
  const der = assembleCertificate(tbs, await signer.sign(tbs), signer.hash);
  const { id } = await getDb()
    .insertInto("certificates")
    .values({
      orderId,
      userId: user.id,
      status: "Issued",
      orderType: "Initial",
      requestedAt: now,
      updatedAt: now,
      csr: Buffer.from("csr"),
      csrSha256: "0".repeat(64),
      publicKeySha256: "0".repeat(64),
      keyIdentity: "0".repeat(64),
      ...subject,
      subjectAlternateName: "[]",
      isManualSsid: false,
      ...usage,
      validityYears: 1,
      hierarchy,
      technicalContact: "{}",
      authenticationContact: "{}",
      authenticationEmail: "boss@example-parts.com",
      sortName: subject.commonName,
      searchText: "",
      ownerText: "",
      authorityId: authority.id,
      serialNumber: serial,
      der: Buffer.from(der),
      issuedAt: now,
      startDate: now,
      expiryDate: options.expiryDate ?? addDays(now, 365),
      ...row,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, serial, der, orderId };
}

/** Stores a revocation as the portal does in its transaction; publishes nothing. */
export async function storeRevocation(
  { id, serial }: { id: number; serial: string },
  { reason = 1, at = new Date() }: { reason?: number; at?: Date } = {},
): Promise<void> {
  const entry = revokedEntryDer({ serial, revocationDate: at, reason });
  await getDb()
    .updateTable("certificates")
    .set({ status: "Revoked", revocationDate: at, revocationReason: reason, revokedCertificateDer: Buffer.from(entry) })
    .where("id", "=", id)
    .execute();
}
