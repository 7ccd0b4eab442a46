import { type SessionUser } from "~/domain/accounts/session-user";
import { getConfig } from "~/lib/config.server";
import { notFound } from "~/lib/errors";
import { allowsRenewal } from "../succession/renewal.policy";
import { withSuccessors } from "../succession/successors.server";
import { describeIssued, findOpenCertificate, namesOf, revocationOf } from "./details.service.server";

/** Returns a certificate for the JSON calls (API-03). Throws a PortalError (404) when its page would have nothing to show. */
export async function getCertificateData(user: SessionUser, id: number, now = new Date()) {
  const open = await findOpenCertificate(user, id);
  if (!open) throw notFound();
  const { row, csr } = open;
  const [candidate] = await withSuccessors([row]);
  const issued = row.der && describeIssued(row.der);
  return {
    row,
    requested: csr.subject,
    issued,
    names: namesOf(row, issued),
    revocation: revocationOf(row),
    allowRenewal: candidate !== undefined && allowsRenewal(candidate, getConfig().certificates, now),
  };
}

export type CertificateData = Awaited<ReturnType<typeof getCertificateData>>;
