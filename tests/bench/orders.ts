import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { getSession, startSession } from "~/http/session.server";
import { paths } from "~/lib/paths";
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
export async function sessionOf({ id }: { id: number }): Promise<{ cookie: string; csrf: string }> {
  const header = await startSession(new Request("http://localhost"), { id, sessionEpoch: 0 });
  const cookie = header.split(";")[0] ?? "";
  const session = await getSession(new Request("http://localhost", { headers: { Cookie: cookie } }));
  return { cookie, csrf: session.get("csrf") ?? "" };
}

/** Approves an order with the form of the queue's page. Throws when the answer is another one than a redirect. */
export async function approveOverHttp(
  origin: string,
  { cookie, csrf }: { cookie: string; csrf: string },
  id: number,
): Promise<void> {
  const answer = await fetch(origin + paths.certificateQueueOrder(id), {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookie, Origin: origin },
    body: new URLSearchParams({ csrf, intent: "approve", confirmed: "yes" }),
  });
  if (answer.status !== 303) throw new Error(`Approving was answered with ${answer.status}: ${await answer.text()}`);
}
