// OCSP answers per second of the real portal with two processes: `npm run bench ocsp`. `prepared` sends GET, whose answers are cached, and
// is compared with a bare server of the same bytes. `with nonce` sends POST, whose answers are each signed, and is compared with the
// signatures that this machine makes when it does nothing else. Every answer says what the database says.
import { spawn } from "node:child_process";
import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { findIssuer } from "~/domain/authorities/authorities.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { closeDb, getDb } from "~db/connection.server";
import { insertCertificate } from "~db/repositories/certificates.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { insertOrder } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { createUser } from "../support/factories";
import { freePort } from "../support/postgres";
import { answersPerSecond, untilReady } from "./load";
import { ocspPath, type OcspRequests, ocspRequestsFor } from "./ocsp-requests";
import { median, withPortal } from "./portal";
import { rawSigningRate } from "./raw-signing";
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
    contactSearchText: text,
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
async function prepare(): Promise<OcspRequests> {
  await renewResponders();
  const authority = await findIssuer(getDb(), "sha2");
  if (!authority) throw new Error("There is no CA.");
  const customer = await createUser();
  const serials = Array.from({ length: CERTIFICATES }, () =>
    randomBytes(15).toString("hex").toUpperCase().replace(/^0/, "1"),
  );
  for (const serialNumber of serials) await storeIssued(customer.id, authority.id, serialNumber);
  const requests = await ocspRequestsFor(serials);
  await closeDb();
  return requests;
}

const HEAD = "Host: 127.0.0.1\r\n";
const asGet = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\n${HEAD}\r\n`);
const asPost = (der: Uint8Array) =>
  Buffer.concat([
    Buffer.from(
      `POST /ocsp HTTP/1.1\r\n${HEAD}Content-Type: application/ocsp-request\r\nContent-Length: ${der.length}\r\n\r\n`,
    ),
    der,
  ]);

/** Serves one answer to every request with bare node:http, in two processes, with the portal's headers. */
function serveBare(port: string, url: string): void {
  if (cluster.isPrimary) return void [cluster.fork(), cluster.fork()];
  void fetch(url).then(async (answer) => {
    const [headers, bytes] = [Object.fromEntries(answer.headers), Buffer.from(await answer.arrayBuffer())];
    createServer((_request, response) => response.writeHead(200, headers).end(bytes)).listen(Number(port), "127.0.0.1");
  });
}

async function compare(port: number, bare: number, { withoutNonce, withNonce }: OcspRequests): Promise<void> {
  const gets = withoutNonce.map((der) => asGet(ocspPath(der)));
  await answersPerSecond(port, gets, LOAD); // each process signs every answer once
  const prepared = await answersPerSecond(port, gets, LOAD);
  const bytes = await answersPerSecond(bare, gets, LOAD);
  report({
    name: "OCSP, prepared answers, two processes",
    measured: prepared,
    unit: "/s",
    comparedWith: { name: "bare node:http with the same bytes", value: bytes },
    must: { of: "ratio", atLeast: 0.8 },
  });
  const raw = [await rawSigningRate({ bits: 2048 })];
  const signed = await answersPerSecond(port, withNonce.map(asPost), LOAD);
  raw.push(await rawSigningRate({ bits: 2048 }));
  report({
    name: "OCSP with nonce, two processes",
    measured: signed,
    unit: "/s",
    comparedWith: { name: "raw RSA-2048 signatures", value: median(raw) },
    must: { of: "ratio", atLeast: 0.5 },
  });
}

async function measure(): Promise<void> {
  const [port, bare] = [await freePort(), await freePort()];
  const variables = { PORT: String(port), HOST: "127.0.0.1", WEB_CONCURRENCY: "2" };
  await withPortal(
    "sqlite",
    async ({ env }) => {
      const requests = await prepare();
      const spawned = (...args: string[]) =>
        spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });
      const portal = spawned("build/index.js");
      const url = `http://127.0.0.1:${port}`;
      await untilReady(`${url}/readyz`);
      const other = spawned(
        fileURLToPath(import.meta.url),
        String(bare),
        url + ocspPath(requests.withoutNonce[0] as Uint8Array),
      );
      try {
        await untilReady(`http://127.0.0.1:${bare}`);
        await compare(port, bare, requests);
      } finally {
        for (const child of [portal, other]) {
          child.kill();
          await once(child, "exit");
        }
      }
    },
    variables,
  );
}

const [, , barePort, answerUrl] = process.argv;
if (barePort && answerUrl) serveBare(barePort, answerUrl);
else await measure();
