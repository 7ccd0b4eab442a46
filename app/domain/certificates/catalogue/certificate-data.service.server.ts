import { type SessionUser } from "~/domain/accounts/session-user";
import { getConfig } from "~/lib/config.server";
import { notFound } from "~/lib/errors";
import { allowsRenewal } from "../succession/renewal.policy";
import { withSuccessors } from "../succession/successors.server";
import { describeIssued, findOpenCertificate, namesOf, revocationOf } from "./details.service.server";

/** A certificate as programs get it (API-03). Throws not found when there is nothing that its page would show. */
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
