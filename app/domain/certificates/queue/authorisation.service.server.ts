import { recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { type Client } from "~/domain/security-events/client";
import { noteDeadLink } from "~/domain/security-events/dead-link.server";
import { DAY } from "~/lib/dates";
import { networkOf } from "~/lib/networks.server";
import { getDb } from "~db/connection.server";
import { findOrderPlacer } from "~db/repositories/audit-entries.server";
import { type CertificateRow, findCertificate, storeContactAnswer } from "~db/repositories/certificates.server";
import { consumeToken, findToken, renewTokenOf } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { type Authorisation, authorisationOf } from "./authorisation.server";
import { NAMESAKE } from "./four-eyes.policy";
import { ownOrder, whyNotAuthorised } from "./four-eyes.server";
import { isOpenOrder } from "./order-decision.policy";

/** How many days the authentication contact can answer, from the day on which the request was sent. */
export const AUTHORISATION_DAYS = 30;

/**
 * How many days an unsent link stays valid. It waits until the customer's address is confirmed, or until the contact accepts messages
 * again.
 */
export const UNSENT_LINK_DAYS = 400;

/** Counts links that cannot be answered, by network. */
const LIMIT = "authorise-address";

export type ContactAnswer = "authorised" | "refused";

interface OpenLink {
  tokenId: number;
  row: CertificateRow;
  authorisation: Authorisation;
}

/** What the page of a link shows. */
export interface AskedContact extends Authorisation {
  /** Why the contact can only refuse the order, or null. */
  barrier: string | null;
  /** Whether this is because the contact has the same name as a member of staff. Staff then call the contact. */
  isNamesake: boolean;
}

/**
 * Returns the order of a link that can still be answered. Returns null when the link is unknown, used or expired, or when the order is
 * decided or answered.
 */
async function findOpenLink(token: string, now: Date): Promise<OpenLink | null> {
  const link = await findToken(getDb(), "authorise-order", token, now);
  const certificate = link?.certificateId ? await findCertificate(getDb(), link.certificateId) : null;
  if (!link || !certificate || !isOpenOrder(certificate) || certificate.contactAnswer !== null) return null;
  const placer = await findOrderPlacer(getDb(), certificate.orderId);
  return {
    tokenId: link.id,
    row: certificate,
    authorisation: await authorisationOf(getDb(), certificate, placer?.clientName ?? null),
  };
}

/**
 * Makes the link of an authorisation request valid for 30 days from now. The queue calls this before it sends the request. Returns false
 * when there is nothing left to answer, because the order is decided or answered or the link has expired.
 */
export async function beginAuthorisation(certificateId: number, now: Date): Promise<boolean> {
  const certificate = await findCertificate(getDb(), certificateId);
  if (!certificate || !isOpenOrder(certificate) || certificate.contactAnswer !== null) return false;
  return renewTokenOf(
    getDb(),
    "authorise-order",
    certificateId,
    new Date(now.getTime() + AUTHORISATION_DAYS * DAY),
    now,
  );
}

async function countDeadLink(client: Client): Promise<void> {
  noteDeadLink(client, "to authorise an order");
  await consumeTry(LIMIT, networkOf(client.address));
}

/**
 * Returns what the page of an authentication contact's link shows, or null when the link cannot be answered. Such a link counts against its
 * network. Throws a PortalError (429) when there were too many.
 */
export async function findAuthorisation(token: string, client: Client, now = new Date()): Promise<AskedContact | null> {
  const link = await findOpenLink(token, now);
  if (link) {
    const barrier = await whyNotAuthorised(getDb(), link.row);
    return { ...link.authorisation, barrier, isNamesake: barrier === NAMESAKE };
  }
  await countDeadLink(client);
  return null;
}

/**
 * Records the authentication contact's answer and uses the link up. Returns what was answered. Returns null when somebody else answered
 * first, the link expired, or the order is decided. Such an answer counts against its network. Throws a PortalError (429) when there were
 * too many, and a PortalError that says why the contact cannot authorise the order; then the link stays valid.
 */
export async function answerAuthorisation(
  token: string,
  answer: ContactAnswer,
  client: Client,
  now = new Date(),
): Promise<Authorisation | null> {
  const stored = await storeAnswer(token, answer, client, now);
  if (!stored) await countDeadLink(client);
  return stored;
}

async function storeAnswer(
  token: string,
  answer: ContactAnswer,
  client: Client,
  now: Date,
): Promise<Authorisation | null> {
  const link = await findOpenLink(token, now);
  if (!link) return null;
  const { tokenId, row, authorisation } = link;
  const { id: certificateId, orderId, userId } = row;
  const { contactEmail } = authorisation;
  const isStored = await inTransaction(async (trx) => {
    if (!(await consumeToken(trx, tokenId, now))) return false;
    const barrier = answer === "authorised" ? await whyNotAuthorised(trx, row) : null;
    if (barrier) throw ownOrder({ text: barrier, detail: barrier });
    // A note that staff began to type does not belong to this answer.
    const change = { contactAnswer: answer, contactAnsweredAt: now, contactAnswerBy: contactEmail, contactNote: null };
    if (!(await storeContactAnswer(trx, certificateId, change, now))) return false;
    const message = `${contactEmail} ${answer} order ${authorisation.orderNumber} by the link.`;
    const actor = { id: null, name: contactEmail, client };
    const entry = { actor, event: `certificate.contact-${answer}`, message };
    await recordAudit(trx, { ...entry, userId, orderId, certificateId }, now);
    return true;
  });
  return isStored ? authorisation : null;
}
