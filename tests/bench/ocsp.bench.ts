// OCSP answers per second of the real portal with two processes: `npm run bench ocsp`. `prepared` sends GET, whose answers are cached.
// `with nonce` sends POST, whose answers are each signed. The state is always read from the database.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { spkiDerOf } from "~/ca/keys.server";
import { findIssuer } from "~/domain/authorities/authorities.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { closeDb, getConnection, getDb } from "~db/connection.server";
import { insertCertificate } from "~db/repositories/certificates.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { insertOrder } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { integer, members, sequence } from "../support/der";
import { createUser } from "../support/factories";
import { certId, nonce, ocspRequest } from "../support/ocsp-request";
import { freePort } from "../support/postgres";
import { say, withPortal } from "./portal";

const CERTIFICATES = 500;
const CONNECTIONS = 32;
/** The number of requests that are sent on a connection before their answers arrive. */
const PIPELINED = 8;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

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

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The portal did not start.");
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

/** The status line by which answers are counted. An answer that is not a real one stops the bench. */
const STATUS = "HTTP/1.1 200";

/** Sends requests over one connection until the deadline. Returns the number of answers. */
function drive(port: number, requests: Buffer[], deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setNoDelay(true);
    let [next, answers] = [Math.floor(Math.random() * requests.length), 0];
    const send = () => socket.write(requests[(next += 1) % requests.length] ?? "");
    socket.on("connect", () => {
      for (let index = 0; index < PIPELINED; index += 1) send();
    });
    socket.on("data", (chunk: Buffer) => {
      for (let at = chunk.indexOf(STATUS); at >= 0; at = chunk.indexOf(STATUS, at + 1)) {
        answers += 1;
        send();
      }
      if (Date.now() > deadline) {
        socket.destroy();
        resolve(answers);
      }
    });
    socket.on("error", reject);
  });
}

async function perSecond(port: number, requests: Buffer[]): Promise<number> {
  const started = Date.now();
  const run = (seconds: number) =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => drive(port, requests, Date.now() + seconds * 1000)));
  await run(SECONDS / 2.5); // a warm-up, after which every answer is cached
  const from = Date.now();
  const answers = (await run(SECONDS)).reduce((sum, count) => sum + count, 0);
  if (answers === 0 || started > from) throw new Error("No answers.");
  return Math.round(answers / ((Date.now() - from) / 1000));
}

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
      const prepared = await perSecond(port, withoutNonce.map(asGet));
      const signed = await perSecond(port, withNonce.map(asPost));
      say(
        `OCSP, two processes, ${getConnection().dialect}: ${prepared} prepared answers/s, ${signed} with nonce/s (${length} bytes)`,
      );
    } finally {
      portal.kill();
      await once(portal, "exit");
    }
  },
  variables,
);
