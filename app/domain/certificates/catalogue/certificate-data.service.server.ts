import { type SessionUser } from "~/domain/accounts/session-user";
import { certificateOrderer } from "~/domain/companies/people.server";
import { getConfig } from "~/lib/config.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findOrderPlacer } from "~db/repositories/audit-entries.server";
import { findUserById } from "~db/repositories/users.server";
import { isRefusedWithIssuer } from "../certificates.policy";
import { allowsRenewal } from "../succession/renewal.policy";
import { withSuccessors } from "../succession/successors.server";
import { findIssued, findOpenCertificate, namesOf, revocationOf } from "./details.service.server";
import { peopleOf } from "./people.server";

/** Returns a certificate for the JSON calls (API-03). Throws a PortalError (404) when its page would have nothing to show. */
export async function getCertificateData(user: SessionUser, id: number, now = new Date()) {
  const open = await findOpenCertificate(user, id);
  if (!open) throw notFound();
  const { row, csr, order } = open;
  const orderer = await findUserById(getDb(), row.userId);
  const clientName = (await findOrderPlacer(getDb(), row.orderId))?.clientName ?? null;
  const [candidate] = await withSuccessors([row]);
  const issued = findIssued(row.der);
  return {
    row,
    orderedBy: orderer ? certificateOrderer({ ...orderer, ...row, clientName }) : "",
    people: await peopleOf(user, row, order),
    requested: csr.subject,
    issued,
    names: namesOf(row, issued),
    revocation: revocationOf(row),
    isIssuerRevoked: candidate !== undefined && isRefusedWithIssuer(candidate),
    allowRenewal: candidate !== undefined && allowsRenewal(candidate, getConfig().certificates, now),
  };
}

export type CertificateData = Awaited<ReturnType<typeof getCertificateData>>;
