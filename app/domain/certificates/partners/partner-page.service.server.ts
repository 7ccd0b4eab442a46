import { type Actor, systemActor } from "~/domain/audit/audit.service.server";
import { recipientFor } from "~/domain/companies/recipient.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { stopAddress } from "~/domain/mail/contact-stop.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { partnerAnswerMail, partnersReadyMail } from "~/domain/mail/templates/partners.server";
import { type Client } from "~/domain/security-events/client";
import { noteDeadLink } from "~/domain/security-events/dead-link.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { networkOf } from "~/lib/networks.server";
import { serverPaths } from "~/lib/server-paths.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import {
  findPartnerByLink,
  findPublication,
  notePartnerOpened,
  type PartnerRow,
  storePartnerAnswer,
} from "~db/repositories/certificate-partners.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findCompany } from "~db/repositories/companies.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { hashOf } from "~db/repositories/tokens.server";
import { type PartnerAnswer } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type CertificateFile, makeCertificateFile } from "../catalogue/download.service.server";
import { USUAL_PARTNER_FILES } from "../catalogue/usual-files.server";
import { USABLE } from "../certificates.policy";
import { partnerKit } from "./partner-kit.server";
import { partnerWords, readinessOf } from "./partner-view.server";
import { recordPartners, viewPartners } from "./partners.service.server";
import { reachPartners } from "./reach.server";
import { compareCertificates } from "./same-certificate.server";

type Usable = CertificateRow & { der: Buffer };

/** Returns the partner of a link and the certificate, or null when the link is unknown, or the certificate has ended or cannot be used. */
async function findLinked(db: DbOrTrx, token: string, now: Date): Promise<{ partner: PartnerRow; row: Usable } | null> {
  const partner = await findPartnerByLink(db, hashOf(token));
  const row = partner && (await findCertificate(db, partner.certificateId));
  if (!partner || !row?.der || !USABLE.includes(row.status)) return null;
  return Date.parse(row.expiryDate ?? "") > now.getTime() ? { partner, row: { ...row, der: row.der } } : null;
}

/** Does what `findLinked` does, and counts a link that cannot be used against its network. Throws a PortalError (429) after too many. */
async function openLink(token: string, client: Client, now: Date) {
  const linked = await findLinked(getDb(), token, now);
  if (linked) return linked;
  noteDeadLink(client, "to a partner’s certificate");
  await consumeTry("authorise-address", networkOf(client.address));
  return null;
}

/** The form of a file of the page: one of the usual files, or all of them with a sheet in an archive. */
const ARCHIVE = "zip";

/**
 * Returns what a partner reads about a certificate, or null when the link cannot be used. The first time is noted as opened, which answers
 * nothing: programs that check messages open links, too.
 */
export async function openPartnerPage(token: string, client: Client, now = new Date()) {
  const linked = await openLink(token, client, now);
  if (!linked) return null;
  const { partner, row } = linked;
  await notePartnerOpened(getDb(), partner.id, now);
  const previous =
    row.previousCertificateId === null ? null : await findCertificate(getDb(), row.previousCertificateId);
  const publication = await findPublication(getDb(), row.id);
  return {
    company: (await findCompany(getDb(), row.companyId))?.name ?? row.organisation,
    commonName: row.commonName,
    serialNumber: colonHex(row.serialNumber ?? ""),
    sha256: colonHex(row.thumbprintSha256 ?? ""),
    sha1: colonHex(row.thumbprint ?? ""),
    startDate: row.startDate,
    expiryDate: row.expiryDate,
    cutOverOn: publication?.cutOverOn ?? null,
    previous: previous?.der
      ? {
          serialNumber: colonHex(previous.serialNumber ?? ""),
          expiryDate: previous.expiryDate,
          isRevoked: previous.status === "Revoked",
          ...compareCertificates(row.der, previous.der),
        }
      : null,
    files: USUAL_PARTNER_FILES.map(({ label, form, text }) => ({
      label: `${label}, ${form}`,
      text,
      href: serverPaths.newCertificateFile(token, form),
    })),
    archive: serverPaths.newCertificateFile(token, ARCHIVE),
    answer: partner.answer,
    question: partner.question,
  };
}

/** Returns a file of the page, or null when the link cannot be used or there is no such form. */
export async function readPartnerFile(
  token: string,
  form: string | null,
  client: Client,
  now = new Date(),
): Promise<CertificateFile | null> {
  const linked = await openLink(token, client, now);
  if (!linked) return null;
  if (form === ARCHIVE) return partnerKit(linked.row, now);
  const file = USUAL_PARTNER_FILES.find((one) => one.form === form);
  return file ? makeCertificateFile(linked.row, file.choice) : null;
}

/** What the audit trail says about each answer. */
const DEEDS: Record<PartnerAnswer, string> = {
  imported: "has imported the certificate",
  question: "has a question about the certificate",
  "not-ours": "says that it is not the partner of the certificate",
  stopped: "wants no more messages about the certificate",
};

/** Tells the owner what a partner has answered, where the owner has to do something about it. */
async function tellOwner(
  trx: Trx,
  { partner, row }: { partner: PartnerRow; row: CertificateRow },
  { answer, question }: { answer: PartnerAnswer; question: string | null },
  now: Date,
): Promise<void> {
  const owner = await recipientFor(trx, row);
  const url = getEnv().publicUrl + certificatePaths.partners(row.id);
  const about = { name: owner.firstName, commonName: row.commonName, url };
  const at = now.getTime();
  if (answer === "question" || answer === "not-ours") {
    const mail = partnerAnswerMail({ ...about, partner: partnerWords(partner), question });
    return queueOwnMail(trx, owner.id, { dedupeKey: `partner-answer:${partner.id}:${at}`, mail }, now);
  }
  if (answer !== "imported" || !readinessOf(await viewPartners(trx, row.id)).isSafe) return;
  const message = `All partners have imported the certificate for ${row.commonName}.`;
  await recordPartners(trx, row, { actor: systemActor("partners"), event: "certificate.partners-ready", message }, now);
  const publication = await findPublication(trx, row.id);
  const mail = partnersReadyMail({ ...about, cutOverOn: publication?.cutOverOn ?? "" });
  await queueOwnMail(trx, owner.id, { dedupeKey: `partners-ready:${row.id}:${at}`, mail }, now);
}

/**
 * Stores the answer of a partner in place of an earlier one, with an audit entry at the certificate, and tells the owner. The same answer
 * again changes nothing. Returns false when the link cannot be used. Throws a PortalError for the field `question` when a question has no
 * text, and one (429) after too many answers.
 */
export async function answerAsPartner(
  token: string,
  { answer, question }: { answer: PartnerAnswer; question: string },
  client: Client,
  now = new Date(),
): Promise<boolean> {
  if (!(await openLink(token, client, now))) return false;
  if (answer === "question" && question === "")
    throw new PortalError("Please type your question.", { code: "certificate.partner-answer", field: "question" });
  await consumeTry("partner-answer-link", hashOf(token));
  return inTransaction(async (trx) => {
    const found = await findLinked(trx, token, now);
    if (!found || !(await lockCertificate(trx, found.row.id))) return false;
    const linked = await findLinked(trx, token, now); // again, because another answer may have been stored while the lock was waited for
    if (!linked) return false;
    const { partner, row } = linked;
    const asked = answer === "question" ? question : null;
    if (partner.answer === answer && partner.question === asked) return true;
    await storePartnerAnswer(trx, partner.id, { answer, question: asked }, now);
    const words = partnerWords(partner);
    const actor: Actor = { id: null, name: partner.email ?? words, client };
    const message = `The partner ${words} ${DEEDS[answer]} for ${row.commonName}.`;
    await recordPartners(trx, row, { actor, event: "certificate.partner-answered", message }, now);
    const [reached] = await reachPartners(trx, [partner]);
    if (answer === "stopped" && reached?.address) await stopAddress(trx, reached.address, now);
    await tellOwner(trx, { partner, row }, { answer, question: asked }, now);
    return true;
  });
}
