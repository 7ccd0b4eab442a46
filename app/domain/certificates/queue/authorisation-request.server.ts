import { ssidUri } from "~/ca/x509/general-names.server";
import { queueContactMail } from "~/domain/mail/queue.service.server";
import { contactAuthorisationMail } from "~/domain/mail/templates/authorisation.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { rarePaths } from "~/lib/rare-paths";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { countContactMails } from "~db/repositories/mails.server";
import { issueToken } from "~db/repositories/tokens.server";
import { namesOfOrder } from "../request/certified-names.server";
import { authorisationOf } from "./authorisation.server";
import { AUTHORISATION_DAYS, UNSENT_LINK_DAYS } from "./authorisation.service.server";

/** The kind of the messages that ask an authentication contact. */
export const REQUEST_MAIL = "authorisation-request";

interface AuthorisationRequest {
  certificateId: number;
  clientName: string | null;
  /** For a reminder, when the contact was asked first, an ISO timestamp. There is at most one reminder a day (UTC) for an order. */
  askedOn?: string;
  /** Whether the customer has named another contact since the order was placed. */
  isOtherContact?: boolean;
}

/**
 * Asks the authentication contact of a stored order by mail, with a link that is good for one answer. Throws an Error for a missing order.
 *
 * @param clientName The name of the API client that places the order, or null.
 */
export async function requestAuthorisation(
  trx: Trx,
  { certificateId, clientName, askedOn, isOtherContact = false }: AuthorisationRequest,
  now: Date,
): Promise<void> {
  const row = await findCertificate(trx, certificateId);
  if (!row) throw new Error(`There is no certificate ${certificateId}.`);
  const { applicant, ...order } = await authorisationOf(trx, row, clientName);
  const { contactEmail: email } = order;
  const lifetimeMs = UNSENT_LINK_DAYS * DAY;
  const token = await issueToken(trx, { purpose: "authorise-order", email, certificateId, lifetimeMs }, now);
  const mail = contactAuthorisationMail({
    ...order,
    askedOn: askedOn ?? null,
    applicantName: applicant.name,
    applicantEmail: applicant.email,
    company: applicant.company,
    alternativeNames: namesOfOrder(row).map(({ type, value }) => (type === "ssid" ? ssidUri(value) : value)),
    url: getEnv().publicUrl + rarePaths.authoriseOrder(token),
    validFor: `${AUTHORISATION_DAYS} days`,
  });
  const again = isOtherContact ? `:${now.toISOString()}` : askedOn ? `:${now.toISOString().slice(0, 10)}` : "";
  const request = {
    dedupeKey: `${REQUEST_MAIL}:${certificateId}${again}`,
    orderId: row.orderId,
    mail,
  } as const;
  await queueContactMail(trx, row.userId, { ...request, to: email }, now);
}

/** Returns the requests that went to the present contact of an order, or undefined when there is none. */
export const countContactRequests = async (db: DbOrTrx, { orderId }: CertificateRow) =>
  (await countContactMails(db, REQUEST_MAIL, [orderId])).get(orderId);
