// ACME clients that finalise orders under a standing authorisation, with the signer: `npm run bench acme`.
import { generateKeyPair, type KeyObject } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { makeAcmeKey } from "~/domain/acme/keys.service.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { type Dialect, getDb } from "~db/connection.server";
import { type AcmeAnswer, AcmeClient, newClientKey } from "../support/acme-client";
import { checksDone, createCertificateOrder } from "../support/certificates";
import { personOf } from "../support/companies";
import { createAdmin, createUser } from "../support/factories";
import { csrOf } from "../support/many-keys";
import { freePort } from "../support/postgres";
import { confirmDomainOf, grantStanding } from "../support/standing";
import { requireIssued } from "./orders";
import { atOnce, type BenchPortal, perSecond, timed, withPortal } from "./portal";
import { besideRaw } from "./raw-signing";
import { report } from "./report";
import { withServers } from "./servers";
import { withSigner } from "./signer";

const ORDERS = Number(process.env.BENCH_ORDERS ?? 600);
/** Not counted, as in the bench of approvals. */
const WARM_UP = Math.floor(ORDERS / 3);
const CALLERS = 8;
const PROCESSES = { sqlite: 1, postgres: 2 } as const;
const DOMAIN = "acme.example.org";

const INVOICE_ADDRESS = {
  ...{ name: "Anna Müller", company: "Acme GmbH", email: "invoices@acme.example.org", phoneNumber: "+44 20 7946 0001" },
  ...{ addressLine1: "1 Mill Lane", addressLine2: "", city: "Coventry", postalCode: "CV1 1AA", vat: "GB123456789" },
  ...{ countryId: 826, country: "United Kingdom", countryIso: "GB" },
};

const newKey = async (): Promise<KeyObject> =>
  (await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })).privateKey;

/** Returns the standing authorisation of a new company with a confirmed domain, and the owner who answers for its keys. */
async function newStanding() {
  const owner = await createUser();
  await confirmDomainOf(owner, DOMAIN);
  const csr = csrOf(await newKey(), `basis.${DOMAIN}`);
  const basis = await createCertificateOrder(owner, csr, checksDone());
  const invoice = { invoiceAddress: JSON.stringify(INVOICE_ADDRESS) };
  await getDb().updateTable("orders").set(invoice).where("id", "=", basis.orderId).execute();
  await approveOrder(basis.id, await personOf(await createAdmin()));
  return { owner, id: await grantStanding(owner, basis.id, { ceilingCertificates: 10_000 }) };
}

/** An order that is ready, with the client that placed it and the CSR for it. */
interface Ready {
  client: AcmeClient;
  order: AcmeAnswer;
  csr: Uint8Array;
}

/** Returns a client of one of the servers. All of them have one public address, for which requests are signed. */
async function newClient([publicOrigin = ""]: readonly string[], own: string): Promise<AcmeClient> {
  const sendTo = async ({ url, method, headers, body }: Request) => {
    const sent = body && (await new Response(body).text());
    return fetch(url.replace(publicOrigin, own), { method, headers, body: sent });
  };
  return new AcmeClient(await newClientKey(), publicOrigin, sendTo);
}

/** Makes an account for each caller, and its orders. */
async function readyOrders(origins: readonly string[]): Promise<Ready[]> {
  const { owner, id } = await newStanding();
  const clients: AcmeClient[] = [];
  for (let index = 0; index < CALLERS; index += 1) {
    const client = await newClient(origins, origins[index % origins.length] ?? "");
    await client.register(await makeAcmeKey(await personOf(owner), id, { description: `Gateway ${index}` }));
    clients.push(client);
  }
  const ready: Ready[] = [];
  await atOnce(CALLERS, [...Array(ORDERS).keys()], async (index) => {
    const [client, name] = [clients[index % CALLERS], `host-${index}.${DOMAIN}`];
    if (client) ready.push({ client, order: await client.order(name), csr: csrOf(await newKey(), name) });
  });
  return ready;
}

async function finalize({ client, order, csr }: Ready): Promise<void> {
  const { status, body } = await client.finalize(order, csr);
  if (body.status !== "valid") throw new Error(`Finalising was answered with ${status}: ${body.detail}`);
}

/** Returns the number of ACME orders finalised per second, each with its certificate, without the first third. */
async function rateOf(ready: readonly Ready[]): Promise<number> {
  await atOnce(CALLERS, ready.slice(0, WARM_UP), finalize);
  const ms = await timed(() => atOnce(CALLERS, ready.slice(WARM_UP), finalize));
  const rows = await getDb().selectFrom("certificates").select("id").where("commonName", "like", "host-%").execute();
  if (rows.length !== ORDERS) throw new Error(`${rows.length} of ${ORDERS} orders were placed.`);
  await requireIssued(rows.map(({ id }) => id));
  return perSecond(ready.length - WARM_UP, ms);
}

async function measure(dialect: Dialect): Promise<void> {
  const ports: number[] = [];
  for (let count = 0; count < PROCESSES[dialect]; count += 1) ports.push(await freePort());
  const origins = ports.map((port) => `http://localhost:${port}`);
  const work = (portal: BenchPortal) =>
    withSigner(portal, () =>
      withServers(ports, portal.env, async () => {
        const ready = await readyOrders(origins);
        const { rate, raw } = await besideRaw(() => rateOf(ready));
        const processes = PROCESSES[dialect] === 1 ? "one process" : `${PROCESSES[dialect]} processes`;
        report({
          name: `Finalising ACME orders with the signer, ${processes}, ${dialect}, ${CALLERS} callers`,
          measured: rate,
          unit: "/s",
          comparedWith: { name: `raw RSA-4096 signatures on ${availableParallelism()} cores`, value: raw },
          must: { of: "ratio", atLeast: 0.15 },
        });
      }),
    );
  await withPortal(dialect, work, { HOST: "localhost", PUBLIC_URL: origins[0] ?? "" });
}

for (const dialect of ["sqlite", "postgres"] as const)
  if ((process.env.BENCH_DATABASES ?? dialect).includes(dialect)) await measure(dialect);
