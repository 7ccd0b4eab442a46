// OCSP answers per second of the real portal with two processes: `npm run bench ocsp`. `prepared` sends GET, whose answers are cached.
// `with nonce` sends POST, whose answers are each signed. The state is always read from the database.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { spkiDerOf } from "~/ca/keys.server";
import { findIssuer } from "~/domain/authorities/authorities.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { closeDb, getDb } from "~db/connection.server";
import { insertCertificate } from "~db/repositories/certificates.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { insertOrder } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { integer, members, sequence } from "../support/der";
import { createUser } from "../support/factories";
import { certId, nonce, ocspRequest } from "../support/ocsp-request";
import { freePort } from "../support/postgres";
import { answersPerSecond, untilReady } from "./load";
import { withPortal } from "./portal";
import { report } from "./report";

const CERTIFICATES = 500;
/** Many clients, each of which sends eight requests before their answers arrive. */
const LOAD = { connections: 32, pipelined: 8 };

/** Stores an issued certificate with the columns that OCSP reads. */
async function storeIssued(userId: number, authorityId: number, serialNumber: string): Promise<void> {
  const now = new Date();
  const [text, hash] = ["x", randomBytes(32).toString("hex")];
  const money = { priceCents: 0, discountCents: 0, netCents: 0, vatRate: 0, vatCents: 0, totalCents: 0 };
  const common = { userId, companyId: await findCompanyId(getDb(), userId), updatedAt: now };
  const names = {
    commonName: text,
    organisation: text,
    country: "DE",
    sortName: text,
    searchText: text,
  };
  const contacts = { technicalContact: "{}", authenticationContact: "{}", authenticationEmail: text };
  const usage = { hasSecureSession: true, hasEmail: true, hasEncryption: true, hasFileSigning: true };
  const request = { csr: Buffer.alloc(1), csrSha256: hash, publicKeySha256: hash, keyIdentity: hash };
  await inTransaction(async (trx) => {
    const orderId = await insertOrder(trx, {
      ...common,
      ...money,
      createdAt: now,
      purchaseOrderType: 1,
      status: "Open",
      purchaseOrderNumber: text,
      invoiceAddress: "{}",
      countryId: 276,
      company: text,
      isMaintenance: false,
    });
    await insertCertificate(trx, {
      ...common,
      ...names,
      ...contacts,
      ...usage,
      ...request,
      orderId,
      requestedAt: now,
      orderType: "Initial",
      subjectAlternateName: "[]",
      isManualSsid: false,
      validityYears: 1,
      hierarchy: "sha2",
      status: "Issued",
      authorityId,
      serialNumber,
      der: Buffer.alloc(1500),
    });
  });
}

/** Fills the database with certificates. Returns OCSP requests for them. */
async function prepare(): Promise<{ withoutNonce: Uint8Array[]; withNonce: Uint8Array[] }> {
  await renewResponders();
  const authority = await findIssuer(getDb(), "sha2");
  if (!authority) throw new Error("no CA");
  const { subjectDer, publicKey } = readIssuer(authority.certificate);
  const [, bits = new Uint8Array()] = members(spkiDerOf(publicKey));
  const key = bits.subarray(bits[1] === 0x82 ? 5 : 4); // after the tag, the length and the number of unused bits
  const customer = await createUser();
  const serials = Array.from({ length: CERTIFICATES }, () =>
    randomBytes(15).toString("hex").toUpperCase().replace(/^0/, "1"),
  );
  for (const serialNumber of serials) await storeIssued(customer.id, authority.id, serialNumber);
  await closeDb();
  const ids = serials.map((serial) =>
    sequence(certId({ name: subjectDer, key, serial: integer(BigInt(`0x${serial}`)) })),
  );
  return {
    withoutNonce: ids.map((id) => ocspRequest([id])),
    withNonce: ids.map((id) => ocspRequest([id], nonce(32))),
  };
}

const HEAD = "Host: 127.0.0.1\r\n";
const asGet = (der: Uint8Array) =>
  Buffer.from(`GET /ocsp/${encodeURIComponent(Buffer.from(der).toString("base64"))} HTTP/1.1\r\n${HEAD}\r\n`);
const asPost = (der: Uint8Array) =>
  Buffer.concat([
    Buffer.from(
      `POST /ocsp HTTP/1.1\r\n${HEAD}Content-Type: application/ocsp-request\r\nContent-Length: ${der.length}\r\n\r\n`,
    ),
    der,
  ]);

const port = await freePort();
const variables = { PORT: String(port), HOST: "127.0.0.1", WEB_CONCURRENCY: "2" };
await withPortal(
  "sqlite",
  async ({ env }) => {
    const { withoutNonce, withNonce } = await prepare();
    const portal = spawn(process.execPath, ["build/index.js"], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      await untilReady(`http://127.0.0.1:${port}/readyz`);
      const answer = await fetch(`http://127.0.0.1:${port}/ocsp`, {
        method: "POST",
        body: new Uint8Array(withoutNonce[0] ?? []),
      });
      const { length } = new Uint8Array(await answer.arrayBuffer());
      if (length < 500) throw new Error("The portal gives no real answer.");
      const prepared = await answersPerSecond(port, withoutNonce.map(asGet), LOAD);
      const signed = await answersPerSecond(port, withNonce.map(asPost), LOAD);
      const note = `${length} bytes`;
      report({ name: "OCSP, prepared answers, two processes", measured: prepared, unit: "/s", note });
      report({ name: "OCSP with nonce, two processes", measured: signed, unit: "/s", note });
    } finally {
      portal.kill();
      await once(portal, "exit");
    }
  },
  variables,
);
