import { randomBytes } from "node:crypto";
import { revokedEntryDer } from "~/ca/crl/entry.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { getDb } from "~db/connection.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { createUser } from "./factories";

const BATCH = 400;
const YEAR_MS = 365 * 24 * 3_600_000;

const SERIAL_OFFSET = 4;
const REVOKED_AT = new Date();

/** Returns an entry with this serial number. All entries have the same form, so only the number is replaced. */
const pattern = Buffer.from(revokedEntryDer({ serial: "70".repeat(16), revocationDate: REVOKED_AT, reason: 4 }));
function entryOf(serial: string): Buffer {
  const entry = Buffer.from(pattern);
  entry.write(serial, SERIAL_OFFSET, "hex");
  return entry;
}

interface Filling {
  /** Revoked certificates have an entry for CRLs. */
  isRevoked: boolean;
  /** Default: a new customer. */
  owner?: { id: number; company: string };
  /** Returns further columns of a certificate, in place of random bytes. Default: none. */
  columns?: () => Promise<Partial<NewRow<"certificates">>>;
}

/** Stores certificates as the portal does, with random bytes in columns that are not read. Returns the owner's id. */
export async function fillCertificates(count: number, { isRevoked, owner, columns }: Filling): Promise<number> {
  const { id: userId, company } = owner ?? (await createUser());
  const companyId = await findCompanyId(getDb(), userId);
  const authority = await getAuthority(getDb(), "issuing-sha2");
  const now = Date.now();
  const order = {
    purchaseOrderType: 1 as const,
    userId,
    companyId,
    status: "Open" as const,
    purchaseOrderNumber: "PO-1",
    createdAt: new Date(now),
    updatedAt: new Date(now),
    priceCents: 29000,
    discountCents: 0,
    netCents: 29000,
    vatRate: 0.2,
    vatCents: 5800,
    totalCents: 34800,
    invoiceAddress: "{}",
    countryId: 826,
    company,
    isMaintenance: false,
  };
  const certificate = (orderId: number): NewRow<"certificates"> => {
    const serial = randomBytes(16).toString("hex").toUpperCase().replace(/^./, "7");
    const start = now - Math.floor((orderId % 997) * 86_400_000 * 0.3);
    const commonName = `host-${orderId}.example`;
    return {
      orderId,
      userId,
      companyId,
      status: isRevoked ? "Revoked" : "Issued",
      orderType: "Initial",
      requestedAt: new Date(start),
      updatedAt: new Date(start),
      csr: randomBytes(16),
      csrSha256: randomBytes(32).toString("hex"),
      publicKeySha256: randomBytes(32).toString("hex"),
      keyIdentity: randomBytes(32).toString("hex"),
      commonName,
      organisation: "Acme GmbH",
      country: "DE",
      subjectAlternateName: "[]",
      modulusProductId: 0, // random bytes have none
      isManualSsid: false,
      hasSecureSession: true,
      hasEmail: false,
      hasEncryption: false,
      hasFileSigning: false,
      validityYears: 2,
      hierarchy: "sha2",
      technicalContact: "{}",
      authenticationContact: "{}",
      authenticationEmail: "b@example.com",
      sortName: commonName,
      searchText: `${commonName} acme ${serial.toLowerCase()}`,
      contactSearchText: "b@example.com",
      authorityId: authority.id,
      serialNumber: serial,
      issuedAt: new Date(start),
      startDate: new Date(start),
      expiryDate: new Date(start + 2 * YEAR_MS),
      ...(isRevoked && {
        revocationDate: REVOKED_AT,
        revocationReason: 4,
        revokedCertificateDer: entryOf(serial),
      }),
    };
  };
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done);
    const more = columns ? await Promise.all(Array.from({ length: size }, () => columns())) : [];
    await inTransaction(async (trx) => {
      const orders = await trx
        .insertInto("orders")
        .values(Array.from({ length: size }, () => order))
        .returning("id")
        .execute();
      await trx
        .insertInto("certificates")
        .values(orders.map(({ id }, index) => ({ ...certificate(id), ...more[index] })))
        .execute();
    });
  }
  return userId;
}
