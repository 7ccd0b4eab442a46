// Resident memory of the real portal while it answers mixed requests, in one process: `npm run bench memory`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { closeDb, getDb } from "~db/connection.server";
import { issueCertificate } from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { HttpVisitor } from "../support/http-visitor";
import { fillCertificates } from "../support/many-certificates";
import { freePort } from "../support/postgres";
import { untilReady } from "./load";
import { ocspPath, ocspRequestsFor } from "./ocsp-requests";
import { atOnce, round, say, withPortal } from "./portal";
import { report } from "./report";

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 100_000);
const STEPS = 10;
const CALLERS = 16;
/** Revoked certificates, which the CRLs contain. */
const REVOKED = Number(process.env.BENCH_CERTIFICATES ?? 20_000);
const ISSUED = 5;

/** Returns the resident memory of a process in megabytes, now or at most so far. Other systems than Linux do not tell it. */
const memoryOf = ({ pid }: ChildProcess, kind: "VmRSS" | "VmHWM"): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
};

interface Content {
  customer: { email: string };
  certificates: { id: number; serialNumber: string }[];
  invoices: number[];
}

/** Fills the portal: revoked certificates, a customer with a few issued ones and their invoices, and an administrator. */
async function fill(): Promise<Content> {
  await renewResponders();
  await fillCertificates(REVOKED, { isRevoked: true });
  const customer = await createUser();
  const certificates: Content["certificates"] = [];
  for (let index = 0; index < ISSUED; index += 1) certificates.push(await issueCertificate({ customer }));
  const invoices = await getDb().selectFrom("invoices").select("id").execute();
  return { customer, certificates, invoices: invoices.map(({ id }) => id) };
}

type Ask = () => Promise<Response>;

/** Returns a customer's token for JSON calls. */
async function tokenOf(origin: string, username: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: "password", username, password: TEST_PASSWORD });
  const answer = (await (await fetch(`${origin}/api/token`, { method: "POST", body })).json()) as {
    access_token: string;
  };
  return answer.access_token;
}

/** Returns the requests of a mix. Each kind occurs as often as it is listed: a page many times, a login once. */
async function mixOf(origin: string, { customer, certificates, invoices }: Content): Promise<Ask[]> {
  const person = { email: customer.email, password: TEST_PASSWORD };
  const [own, staff] = [new HttpVisitor(origin), new HttpVisitor(origin)];
  await own.logIn(person);
  await staff.logIn({ email: (await createAdmin()).email, password: TEST_PASSWORD });
  const Authorization = `Bearer ${await tokenOf(origin, customer.email)}`;
  const ocsp = await ocspRequestsFor(certificates.map(({ serialNumber }) => serialNumber));
  const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;
  const id = () => any(certificates).id;
  const open = (path: string) => fetch(origin + path, { headers: { Accept: "text/html" } });
  const call = (path: string) => fetch(`${origin}/api/${path}`, { headers: { Authorization } });
  const login: Ask = async () => {
    const visitor = new HttpVisitor(origin);
    return visitor.post(paths.login(), person);
  };
  const kinds: [times: number, ask: Ask][] = [
    [10, () => open(paths.login())],
    [2, login],
    [5, () => own.get(paths.dashboard)],
    [8, () => own.get(paths.certificates)],
    [4, () => own.get(paths.salesOrders)],
    [4, () => staff.get(paths.certificates)],
    [2, () => staff.get(paths.certificateQueue)],
    [2, () => staff.get("/home/audit-trail")],
    [8, () => own.get(paths.certificateDetails(id()))],
    [
      6,
      () => own.get(rarePaths.certificateFile(id(), { certificateType: "own", encoding: "pem", fileExtension: "crt" })),
    ],
    [5, () => own.get(paths.invoice(any(invoices)))],
    [5, () => open(paths.publicRepository)],
    [4, () => fetch(origin + paths.repositoryFile("issuing-sha2.crl"))],
    [4, () => fetch(origin + paths.repositoryFile("issuing-sha2-delta.crl"))],
    [10, () => fetch(origin + ocspPath(any(ocsp.withoutNonce)))],
    [10, () => fetch(`${origin}/ocsp`, { method: "POST", body: new Uint8Array(any(ocsp.withNonce)) })],
    [6, () => call("certificates/getcertificates")],
    [5, () => call(`certificates/getcertificate?id=${id()}`)],
  ];
  return kinds.flatMap(([times, ask]) => Array.from({ length: times }, () => ask));
}

async function ask(one: Ask): Promise<void> {
  const answer = await one();
  await answer.arrayBuffer();
  if (answer.status >= 400) throw new Error(`${answer.url} was answered with ${answer.status}.`);
}

async function measure(portal: ChildProcess, origin: string, content: Content): Promise<void> {
  await untilReady(`${origin}/readyz`);
  const sayAfter = (done: number) =>
    say(
      `after ${done} requests: ${round(memoryOf(portal, "VmRSS"))} MB, at most ${round(memoryOf(portal, "VmHWM"))} MB`,
    );
  sayAfter(0);
  const mix = await mixOf(origin, content);
  const each = Math.ceil(REQUESTS / STEPS);
  for (let done = 0; done < REQUESTS; done += each) {
    const requests = Array.from({ length: each }, (_, index) => mix[((done + index) * 37) % mix.length] as Ask);
    await atOnce(CALLERS, requests, ask);
    sayAfter(done + each);
  }
  report({
    name: `resident memory after ${REQUESTS} mixed requests`,
    measured: memoryOf(portal, "VmRSS"),
    unit: "MB",
    must: { of: "measured", atMost: 250 },
    note: `at most ${round(memoryOf(portal, "VmHWM"))} MB meanwhile`,
  });
}

/** The command of `npm start`, without the set-up. */
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
const START = scripts.start.replace("scripts/start.mjs", "build/index.js");

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const variables = { PORT: String(port), HOST: "127.0.0.1", PUBLIC_URL: origin };
await withPortal(
  "sqlite",
  async ({ env }) => {
    const content = await fill();
    const portal = spawn("sh", ["-c", START], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      await measure(portal, origin, content);
    } finally {
      await closeDb();
      portal.kill();
      await once(portal, "exit");
    }
  },
  variables,
);
