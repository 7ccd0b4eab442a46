import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { getSession, startSession } from "~/http/session.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { getDb } from "~db/connection.server";
import { checksDone, createCertificateOrder } from "../support/certificates";
import { createUser } from "../support/factories";
import { csrOf } from "../support/many-keys";
import { atOnce } from "./portal";

const newKey = promisify(generateKeyPair);

/** Stores orders with new keys that share no prime, because the portal refuses other keys. Returns their ids. */
export async function makeOrders(count: number): Promise<number[]> {
  const customer = await createUser();
  const ids: number[] = [];
  await atOnce(4, [...Array(count).keys()], async (index) => {
    const { privateKey } = await newKey("rsa", { modulusLength: 2048 });
    ids.push((await createCertificateOrder(customer, csrOf(privateKey, `host-${index}.example`), checksDone())).id);
  });
  return ids;
}

/** Starts a session of an account. Returns its cookie and the CSRF token of its forms. */
export async function sessionOf({ id }: { id: number }): Promise<BenchSession> {
  const header = await startSession(new Request("http://localhost"), { id, sessionEpoch: 0 });
  const cookie = header.split(";")[0] ?? "";
  const session = await getSession(new Request("http://localhost", { headers: { Cookie: cookie } }));
  return { cookie, csrf: session.get("csrf") ?? "" };
}

export interface BenchSession {
  cookie: string;
  csrf: string;
}

const post = (url: string, { cookie, csrf }: BenchSession, fields: Record<string, string>) =>
  fetch(url, {
    method: "POST",
    redirect: "manual",
    // All processes of a portal have one public address, whatever their ports.
    headers: { Cookie: cookie, Origin: process.env.PUBLIC_URL ?? new URL(url).origin },
    body: new URLSearchParams({ csrf, ...fields }),
  });

/** Opens the page of an order. Throws when the answer is another one. */
export async function showOverHttp(origin: string, { cookie }: BenchSession, id: number): Promise<void> {
  const answer = await fetch(origin + paths.certificateQueueOrder(id), { headers: { Cookie: cookie } });
  if (answer.status !== 200 || !(await answer.text()).includes('value="approve"'))
    throw new Error(`The page of order ${id} was answered with ${answer.status}.`);
}

/** Approves an order with the form of the queue's page. Throws when the answer is another one than a redirect. */
export async function approveOverHttp(origin: string, session: BenchSession, id: number): Promise<void> {
  const fields = { intent: "approve", confirmed: "yes" };
  const answer = await post(origin + paths.certificateQueueOrder(id), session, fields);
  if (answer.status !== 303) throw new Error(`Approving was answered with ${answer.status}: ${await answer.text()}`);
}

/** Returns an answer of the page that approves many orders. Throws when the page is another one. */
async function requirePage(answer: Response): Promise<string> {
  const text = await answer.text();
  if (answer.status !== 200)
    throw new Error(`Approving many was answered with ${answer.status} ${answer.headers.get("location")}: ${text}`);
  return text;
}

const approvalOf = (origin: string, ids: readonly number[]) =>
  `${origin}${staffPaths.approveOrders}?${new URLSearchParams(ids.map((id) => ["id", String(id)]))}`;

/** Opens the page that asks before it approves these orders. */
export async function showManyOverHttp(origin: string, { cookie }: BenchSession, ids: readonly number[]) {
  await requirePage(await fetch(approvalOf(origin, ids), { headers: { Cookie: cookie } }));
}

/** Approves orders with the form of that page. */
export async function approveManyOverHttp(origin: string, session: BenchSession, ids: readonly number[]) {
  await requirePage(await post(approvalOf(origin, ids), session, { id: ids.join(",") }));
}

/** Throws when one of these orders was not issued. */
export async function requireIssued(ids: readonly number[]): Promise<void> {
  const query = getDb()
    .selectFrom("certificates")
    .select((eb) => eb.fn.countAll<number>().as("count"));
  const { count } = await query.where("status", "=", "Issued").where("id", "in", ids).executeTakeFirstOrThrow();
  if (Number(count) !== ids.length) throw new Error(`${ids.length - Number(count)} orders were not issued.`);
}
