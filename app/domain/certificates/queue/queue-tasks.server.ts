import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { personName } from "~/domain/companies/people.server";
import { fourEyes } from "~/lib/four-eyes.server";
import { staffPaths } from "~/lib/staff-paths";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findUserById } from "~db/repositories/users.server";
import { needsGrants } from "../issuing/granting.service.server";
import { type FourEyesFacts, listNamesakes, whyNotAuthorised } from "./four-eyes.server";
import { ISSUING, ISSUING_HELP, isOpenOrder } from "./order-decision.policy";

/** Returns what the user's rights allow on the page of an order. */
export const whatMay = (user: RightsHolder) => ({
  approve: may(user, "approve-orders"),
  end: may(user, "end-orders"),
  work: may(user, "work-on-orders"),
  allowMessages: may(user, "allow-messages"),
});

/**
 * Returns whether this user can record the checks of the order, and approve it once nothing is missing. `checkBarrier` and
 * `approvalBarrier` say why the four-eyes principle keeps the user from it, although the user's rights and the state of the order allow it.
 * A reason for both is only the first one, so that the page says it once.
 */
export function tasksOf(row: CertificateRow, user: RightsHolder, { whyNot }: FourEyesFacts) {
  const mayCheck = may(user, "check-orders") && isOpenOrder(row);
  const mayApprove = may(user, "approve-orders") && isOpenOrder(row);
  const checkBarrier = mayCheck ? (whyNot("check", row)?.text ?? null) : null;
  const approvalBarrier = mayApprove ? (whyNot("approve", row)?.text ?? null) : null;
  return {
    isCheckable: mayCheck && checkBarrier === null,
    checkBarrier,
    isApprovable: mayApprove && approvalBarrier === null && row.contactAnswer !== "refused",
    /** Whether whoever records the checks may approve the order too. */
    isOneStep: fourEyes() === "small-office",
    approvalBarrier: approvalBarrier === checkBarrier ? null : approvalBarrier,
  };
}

/** Returns what staff who record the checks do about an authentication contact who cannot authorise the order by the link. */
const contactAdvice = (namesakes: readonly string[]): string =>
  namesakes.length > 0
    ? `Call the contact through the organisation and make sure that it is another person than ${namesakes.join(" and ")}. By recording the answer below you state this; write how you know it. If it is the same person, cancel the order, so that the customer can name another contact.`
    : "Ask somebody else at the organisation and record the answer below, or cancel the order, so that the customer can name another contact.";

/**
 * Returns why the authentication contact cannot authorise the order by the link, while the answer is missing, with what staff who record the
 * checks do about it. Returns null when nothing is in the way.
 */
export async function contactBarrierOf(row: CertificateRow, isCheckable: boolean): Promise<string | null> {
  const barrier = isOpenOrder(row) && row.contactAnswer === null ? await whyNotAuthorised(getDb(), row) : null;
  if (barrier === null || !isCheckable) return barrier;
  return `${barrier} ${contactAdvice(await listNamesakes(getDb(), row))}`;
}

/** Returns the name of whoever approved, rejected or cancelled the order, or null. */
export async function deciderOf({ decidedBy }: CertificateRow): Promise<string | null> {
  const person = decidedBy === null ? null : await findUserById(getDb(), decidedBy);
  return person && personName(person);
}

/** Returns why an approved order has no certificate yet, and the page on which this user confirms it to the signer, or null. */
export async function issuingText(row: CertificateRow, user: SessionUser) {
  if (!(await needsGrants())) return { text: `${ISSUING}. ${ISSUING_HELP}`, confirmAt: null };
  const isOwn = row.decidedBy === user.id;
  const by = isOwn ? "you confirm" : "whoever approved it confirms";
  const text = `The certificate is issued when ${by} it to the signer.${isOwn ? "" : ` ${ISSUING_HELP}`}`;
  return { text, confirmAt: isOwn ? staffPaths.confirmToSigner : null };
}
