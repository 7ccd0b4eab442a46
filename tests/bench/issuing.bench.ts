// Approving orders, one by one and many in one act, in this process and over HTTP: `npm run bench issuing`.
import { availableParallelism } from "node:os";
import { modulusOf } from "~/ca/csr/read.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { BULK_LIMIT } from "~/domain/certificates/queue/queue-fields";
import { findWeakKeys } from "~/domain/keys/key-comparison.service.server";
import { type Dialect, getDb } from "~db/connection.server";
import { createAdmin } from "../support/factories";
import { freePort } from "../support/postgres";
import {
  approveManyOverHttp,
  approveOverHttp,
  type BenchSession,
  makeOrders,
  requireIssued,
  sessionOf,
  showManyOverHttp,
  showOverHttp,
} from "./orders";
import { cfsslSigningRate } from "./peers";
import { type BenchPortal, perSecond, timed, withPortal } from "./portal";
import { besideRaw, mean, type Rate, rawSigningRate } from "./raw-signing";
import { report } from "./report";
import { withServers } from "./servers";
import { withSigner } from "./signer";

const ORDERS = Number(process.env.BENCH_ORDERS ?? 600);
/** Not counted, for each server process: a portal runs for weeks, and the engine compiles its code during the first orders. */
const WARM_UP = Math.floor(ORDERS / 4);
const CALLERS = 8;

/** The number of server processes for each database. SQLite has one writer, so a second process does not help. */
const PROCESSES = { sqlite: 1, postgres: 2 } as const;

/** Makes orders whose keys have been compared with all others, as the import of a CSR does it. Returns their ids. */
async function readyOrders(count: number): Promise<number[]> {
  const ids = await makeOrders(count);
  const rows = await getDb().selectFrom("certificates").select(["keyIdentity", "csr"]).where("id", "in", ids).execute();
  const keys = rows.map(({ keyIdentity, csr }) => ({ keyIdentity, modulus: modulusOf(csr) ?? 0n }));
  await (await findWeakKeys(keys)).save(getDb(), new Date());
  return ids;
}

/** Does something with these orders: CALLERS callers, each with its own orders, one after the other. */
async function eachCaller(
  ids: readonly number[],
  work: (id: number, caller: number) => Promise<unknown>,
): Promise<void> {
  const caller = async (_: unknown, index: number) => {
    for (let next = index; next < ids.length; next += CALLERS) await work(ids[next] as number, index);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

/** Approves these orders. Returns the number of the last ORDERS certificates per second. Throws when one was not issued. */
async function rateOf(
  ids: readonly number[],
  approve: (id: number, caller: number) => Promise<unknown>,
): Promise<number> {
  await eachCaller(ids.slice(0, -ORDERS), approve);
  const ms = await timed(() => eachCaller(ids.slice(-ORDERS), approve));
  await requireIssued(ids);
  return perSecond(ORDERS, ms);
}

async function throughDomain(): Promise<number> {
  const approver = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!approver) throw new Error("The administrator is not there.");
  return rateOf(await readyOrders(WARM_UP + ORDERS), (id) => approveOrder(id, approver));
}

/** Returns the seconds until all messages are sent. That of an invoice has its PDF attached. */
async function untilSent(): Promise<number> {
  const waiting = getDb()
    .selectFrom("mails")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("sentAt", "is", null);
  const ms = await timed(async () => {
    while (Number((await waiting.executeTakeFirstOrThrow()).count) > 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
  });
  return ms / 1000;
}

interface OverHttp {
  /** Certificates per second, one form for each order. */
  single: Rate;
  /** The seconds after the last of them until all their messages, with the PDFs of the invoices, were sent. */
  sent: number;
  /** Certificates per second, one form for BULK_LIMIT orders. */
  bulk: Rate;
}

/** Measures the rates at which forms of the queue's pages, posted to real servers, issue certificates. */
async function overHttp({ env }: BenchPortal, ports: readonly number[]): Promise<OverHttp> {
  const [ids, many] = [await readyOrders(WARM_UP * ports.length + ORDERS), await readyOrders(ORDERS)];
  const sessions: BenchSession[] = [];
  while (sessions.length < CALLERS) sessions.push(await sessionOf(await createAdmin()));
  const [session] = sessions as [BenchSession];
  const origins = ports.map((port) => `http://localhost:${port}`);
  const [first = ""] = origins;
  // A caller stays with a process, as the connection of a browser does behind deploy/nginx.
  const deskOf = (caller: number) => [origins[caller % origins.length] ?? first, sessions[caller] ?? session] as const;
  return withServers(ports, env, async () => {
    await eachCaller(ids, (id, caller) => showOverHttp(...deskOf(caller), id)); // staff see an order before they approve it
    const before = await rawSigningRate();
    const single = await rateOf(ids, (id, caller) => approveOverHttp(...deskOf(caller), id));
    const sent = await untilSent();
    const between = await rawSigningRate();
    let ms = 0;
    for (let start = 0; start < many.length; start += BULK_LIMIT) {
      const some = many.slice(start, start + BULK_LIMIT);
      await showManyOverHttp(first, session, some); // staff see the orders before they confirm
      ms += await timed(() => approveManyOverHttp(first, session, some));
    }
    await requireIssued(many);
    const after = await rawSigningRate();
    return {
      single: { rate: single, raw: mean(before, between) },
      sent,
      bulk: { rate: perSecond(many.length, ms), raw: mean(between, after) },
    };
  });
}

const LEAST = { sqlite: { single: 0.2, bulk: 0.45 }, postgres: { single: 0.15, bulk: 0.4 } } as const;

async function measure(dialect: Dialect): Promise<void> {
  const ports: number[] = [];
  for (let count = 0; count < PROCESSES[dialect]; count += 1) ports.push(await freePort());
  const work = async (portal: BenchPortal) => {
    const domain = await besideRaw(throughDomain);
    const http = await overHttp(portal, ports);
    const signed = await withSigner(portal, throughDomain);
    const beside = ({ rate, raw }: Rate) => ({
      measured: rate,
      unit: "/s",
      comparedWith: { name: `raw RSA-4096 signatures on ${availableParallelism()} cores`, value: raw },
    });
    const processes = PROCESSES[dialect] === 1 ? "one process" : `${PROCESSES[dialect]} processes`;
    const callers = `${dialect}, ${CALLERS} callers`;
    report({ name: `Approving without HTTP, one process, ${callers}`, ...beside(domain) });
    report({
      name: `Approving without HTTP with the signer, one process beside it, ${callers}`,
      measured: signed,
      unit: "/s",
      comparedWith: { name: "the same without a signer", value: domain.rate },
    });
    const single = { name: `Approving over HTTP, ${processes}, ${callers}`, ...beside(http.single) };
    report({ ...single, must: { of: "ratio", atLeast: LEAST[dialect].single } });
    report({
      name: `Sending the messages and PDFs of ${ORDERS} approvals after the last, ${dialect}`,
      measured: http.sent,
      unit: "s",
      must: { of: "measured", atMost: 60 },
    });
    const bulk = { name: `Approving ${BULK_LIMIT} in one act over HTTP, ${dialect}`, ...beside(http.bulk) };
    report({ ...bulk, must: { of: "ratio", atLeast: LEAST[dialect].bulk } });
    const cfssl = await cfsslSigningRate(CALLERS);
    if (cfssl === null) return;
    const other = { comparedWith: { name: "cfssl, which stores nothing", value: cfssl } };
    report({ ...single, ...other });
    report({ ...bulk, ...other });
  };
  await withPortal(dialect, work, { HOST: "localhost", PUBLIC_URL: `http://localhost:${ports[0]}` });
}

for (const dialect of ["sqlite", "postgres"] as const)
  if ((process.env.BENCH_DATABASES ?? dialect).includes(dialect)) await measure(dialect);
