import { type SessionUser } from "~/domain/accounts/session-user";
import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { countContactRequests } from "~/domain/certificates/queue/authorisation-request.server";
import { isIssuing } from "~/domain/certificates/queue/order-decision.policy";
import { controlMarksOfOrder, waitsForNames } from "~/domain/certificates/request/confirmed-names.server";
import { isReissueByStaff } from "~/domain/certificates/succession/reissue.policy";
import { type DoneBy, doerName, personName, STAFF_NAME } from "~/domain/companies/people.server";
import { type MailStep } from "~/domain/mail/parts";
import { findAuthorisedContact } from "~/domain/orders/corrections/authorised-contact.server";
import { formatDateTime } from "~/lib/dates";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { findOrderPlacer } from "~db/repositories/audit-entries.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { mailSteps, type ProgressStep, type StepFacts, withStates } from "./progress.policy";

/** How the contact was asked, in a sentence. */
async function askedText(db: DbOrTrx, row: CertificateRow): Promise<string> {
  const asked = await countContactRequests(db, row);
  if (!asked) return "The message is on its way.";
  const first = `Sent on ${formatDateTime(asked.first)} UTC`;
  return asked.count === 1 ? `${first}.` : `${first}, and last on ${formatDateTime(asked.last)} UTC.`;
}

/** Returns what the order's contact has done or has to do. */
async function contactText(db: DbOrTrx, row: CertificateRow, owner: UserRow | null): Promise<string> {
  const address = row.authenticationEmail;
  if (row.contactAnswer !== null) {
    const { contact, correctedBy } = await findAuthorisedContact(db, row);
    const corrected = correctedBy.length > 0 ? `. Corrected since: ${correctedBy.join(", ")}.` : "";
    return `${contact.name}, ${address}${corrected}`;
  }
  const contact = parseContact(row.authenticationContact).name;
  if (await findContactStop(db, address))
    return `${contact}, ${address}, wants no messages from us. We cannot ask for the authorisation by email: name another contact, or contact us.`;
  if (owner?.emailVerifiedAt === null)
    return `${contact}, ${address}, receives a message and authorises the order as soon as the email address above is confirmed.`;
  return `${contact} has to follow the link in our message to ${address}. ${await askedText(db, row)}`;
}

const emailText = (readerId: number, owner: UserRow): string =>
  owner.id === readerId
    ? `Follow the link in our message to ${owner.email}.`
    : `${personName(owner)} has to follow the link in our message to ${owner.email}.`;

/** Returns the step with which an order without a certificate ended. */
function endOf({ status, decidedAt, decisionReason }: CertificateRow): ProgressStep | null {
  if (status !== "Rejected" && status !== "Cancelled") return null;
  return { name: "issued", title: status, state: "ended", at: decidedAt, text: decisionReason ?? "" };
}

function issuedText(row: CertificateRow): string {
  if (row.issuedAt !== null) return "";
  return isIssuing(row)
    ? "The certificate is being issued."
    : "After our approval you receive a message with download and install instructions.";
}

function orderedText(row: CertificateRow, owner: UserRow | null, placedBy: DoneBy | null): string {
  if (isReissueByStaff(row)) return `by ${STAFF_NAME.toLowerCase()}`;
  return owner ? `by ${doerName(owner, placedBy)}` : "";
}

/** Returns the steps of a certificate order in words for the account that reads them. */
async function stepsFor(
  db: DbOrTrx,
  readerId: number,
  row: CertificateRow,
  placedBy: DoneBy | null,
): Promise<ProgressStep[]> {
  const owner = await findUserById(db, row.userId);
  const facts: StepFacts[] = [
    {
      name: "ordered",
      title: "Ordered",
      isDone: true,
      at: row.requestedAt,
      text: orderedText(row, owner, placedBy),
    },
    {
      name: "email",
      title: "Email address confirmed",
      isDone: owner?.emailVerifiedAt !== null,
      at: owner?.emailVerifiedAt ?? null,
      text: owner?.emailVerifiedAt === null ? emailText(readerId, owner) : (owner?.email ?? ""),
    },
    {
      name: "contact",
      title: "Contact authorised",
      isDone: row.contactAnswer === "authorised",
      at: row.contactAnsweredAt,
      text: await contactText(db, row, owner),
    },
    {
      name: "organisation",
      title: "Organisation checked",
      isDone: row.organisationCheckedAt !== null,
      at: row.organisationCheckedAt,
      text: row.organisationCheckedAt === null ? "We compare your organisation with a public register." : "",
    },
    {
      name: "csr",
      title: "CSR compared",
      isDone: row.csrCheckedAt !== null,
      at: row.csrCheckedAt,
      text: row.csrCheckedAt === null ? "We compare the CSR with your company." : "",
    },
    { name: "issued", title: "Issued", isDone: row.issuedAt !== null, at: row.issuedAt, text: issuedText(row) },
  ];
  const end = endOf(row);
  if (end) return [...withStates(facts).filter(({ state }) => state === "done"), end];
  return withStates(facts).map((step) =>
    step.name === "contact" && row.contactAnswer === "refused"
      ? { ...step, title: "Contact refused", state: "ended" as const }
      : step,
  );
}

/** Returns the steps of a certificate order, with when each was done and what it waits for. */
export async function certificateProgress(user: SessionUser, row: CertificateRow): Promise<ProgressStep[]> {
  const steps = await stepsFor(getDb(), user.id, row, await findOrderPlacer(getDb(), row.orderId));
  const marks = row.status === "Pending" ? await controlMarksOfOrder(row, "customer") : [];
  // Staff look into the names when they compare the CSR. Where names have to be confirmed, the approval waits for that, too.
  const held = waitsForNames(marks.length > 0).length > 0 ? "issued" : "csr";
  return steps.map((step) =>
    step.name === held && step.state !== "done"
      ? { ...step, text: [step.text, ...marks.map(({ message }) => message)].join(" ") }
      : step,
  );
}

/**
 * Returns the steps of the order of a certificate for a message to this account.
 *
 * @param placedBy What places the order in the account's name in this transaction, or null. Without it, the audit trail says it.
 */
export async function progressForMail(
  trx: Trx,
  readerId: number,
  certificateId: number,
  placedBy?: DoneBy | null,
): Promise<MailStep[]> {
  const row = await findCertificate(trx, certificateId);
  if (!row) return [];
  const by = placedBy === undefined ? await findOrderPlacer(trx, row.orderId) : placedBy;
  return mailSteps(await stepsFor(trx, readerId, row, by));
}
