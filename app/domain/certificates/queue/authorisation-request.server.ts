import { ssidUri } from "~/ca/x509/general-names.server";
import { queueContactMail } from "~/domain/mail/queue.service.server";
import { contactAuthorisationMail } from "~/domain/mail/templates/authorisation.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { issueToken } from "~db/repositories/tokens.server";
import { namesOfOrder } from "../request/certified-names.server";
import { authorisationOf } from "./authorisation.server";
import { AUTHORISATION_DAYS, UNSENT_LINK_DAYS } from "./authorisation.service.server";

/** The kind of the messages that ask an authentication contact. */
export const REQUEST_MAIL = "authorisation-request";

interface AuthorisationRequest {
  certificateId: number;
  clientName: string | null;
  isReminder?: boolean;
}

/**
 * Asks the authentication contact of a stored order by mail, with a link that is good for one answer. Throws an Error for a missing order.
 *
 * @param clientName The name of the API client that places the order, or null.
 * @param isReminder Whether the contact was asked before. There is at most one reminder a day (UTC) for an order.
 */
export async function requestAuthorisation(
  trx: Trx,
  { certificateId, clientName, isReminder = false }: AuthorisationRequest,
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
    askedOn: isReminder ? row.requestedAt : null,
    applicantName: applicant.name,
    applicantEmail: applicant.email,
    company: applicant.company,
    alternativeNames: namesOfOrder(row).map(({ type, value }) => (type === "ssid" ? ssidUri(value) : value)),
    url: getEnv().publicUrl + paths.authoriseOrder(token),
    validFor: `${AUTHORISATION_DAYS} days`,
  });
  const reminder = isReminder ? `:${now.toISOString().slice(0, 10)}` : "";
  const request = {
    dedupeKey: `${REQUEST_MAIL}:${certificateId}${reminder}`,
    orderId: row.orderId,
    mail,
  } as const;
  await queueContactMail(trx, row.userId, { ...request, to: email }, now);
}
