import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { type Dialect, getDb } from "~db/connection.server";
import { createAdmin } from "../support/factories";
import { freePort } from "../support/postgres";
import { approveOverHttp, makeOrders, sessionOf } from "./orders";
import { cfsslSigningRate } from "./peers";
import { atOnce, type BenchPortal, perSecond, timed, withPortal } from "./portal";
import { rawSigningRate } from "./raw-signing";
import { report } from "./report";

const ORDERS = Number(process.env.BENCH_ORDERS ?? 600);
const WARM_UP = Math.min(50, ORDERS / 4);
const CALLERS = 8;

/** Approves these orders. Returns the number of certificates issued per second, without the first few. Throws when one was not issued. */
async function rateOf(ids: readonly number[], approve: (id: number) => Promise<unknown>): Promise<number> {
  const work = async (id: number) => void (await approve(id));
  await atOnce(CALLERS, ids.slice(0, WARM_UP), work);
  const ms = await timed(() => atOnce(CALLERS, ids.slice(WARM_UP), work));
  const query = getDb()
    .selectFrom("certificates")
    .select((eb) => eb.fn.countAll<number>().as("count"));
  const { count } = await query.where("status", "=", "Issued").where("id", "in", ids).executeTakeFirstOrThrow();
  if (count !== ids.length) throw new Error(`${ids.length - count} orders were not issued.`);
  return perSecond(ids.length - WARM_UP, ms);
}

async function throughDomain(): Promise<number> {
  const approver = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!approver) throw new Error("The administrator is not there.");
  return rateOf(await makeOrders(ORDERS), (id) => approveOrder(id, approver));
}

async function untilReady(origin: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    if (
      await fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("The portal ended: is there a build (npm run build)?");
}

/** Measures the rate at which forms of the queue's page, posted to the real server, issue certificates. */
async function overHttp({ env }: BenchPortal): Promise<number> {
  const ids = await makeOrders(ORDERS);
  const session = await sessionOf(await createAdmin());
  const origin = env.PUBLIC_URL ?? "";
  const server = spawn(process.execPath, ["build/index.js"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    await untilReady(origin, server);
    return await rateOf(ids, (id) => approveOverHttp(origin, session, id));
  } finally {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.exitCode === null && server.kill()) await ended;
  }
}

async function measure(dialect: Dialect): Promise<void> {
  const port = String(await freePort());
  const more = { PORT: port, HOST: "localhost", PUBLIC_URL: `http://localhost:${port}` };
  await withPortal(
    dialect,
    async (portal) => {
      const before = await rawSigningRate();
      const [domain, http] = [await throughDomain(), await overHttp(portal)];
      const raw = (before + (await rawSigningRate())) / 2;
      const comparedWith = { name: `raw RSA-4096 signatures on ${availableParallelism()} cores`, value: raw };
      const callers = `${dialect}, ${CALLERS} callers`;
      report({ name: `Approving in one process, ${callers}`, measured: domain, unit: "/s", comparedWith });
      const must = { of: "ratio", atLeast: dialect === "sqlite" ? 0.2 : 0.15 } as const;
      const row = { name: `Approving over HTTP, ${callers}`, measured: http, unit: "/s" };
      report({ ...row, comparedWith, must });
      const cfssl = await cfsslSigningRate(CALLERS);
      if (cfssl !== null) report({ ...row, comparedWith: { name: "cfssl, which stores nothing", value: cfssl } });
    },
    more,
  );
}

for (const dialect of ["sqlite", "postgres"] as const) await measure(dialect);
