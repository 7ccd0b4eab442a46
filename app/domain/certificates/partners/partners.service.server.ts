import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { maySearchCodes } from "~/domain/codes/search.service.server";
import { requireMember } from "~/domain/companies/membership.server";
import { mayFor } from "~/domain/companies/roles.policy";
import { asLines } from "~/lib/broken-rule";
import { notFound, PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import {
  deletePartner,
  findPartnerSettings,
  findPublication,
  insertPartners,
  listPartners,
  listPartnerSources,
  type PartnerRow,
} from "~db/repositories/certificate-partners.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findCodeByName } from "~db/repositories/codes.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { USABLE, whyNotView } from "../certificates.policy";
import { findVisibleCertificate } from "../visible.server";
import { type LineProblem, type PartnerLine, readPartnerLines } from "./partner-lines";
import { type PartnerView, partnerWords, readinessOf, toPartnerView } from "./partner-view.server";
import { MOST_PARTNERS } from "./partners-fields";
import { addressOfEntity, reachPartners } from "./reach.server";

/** The error for a list of partners that is refused. */
const partnersRefusal = (message: string, field: "partners" | "from" = "partners") =>
  new PortalError(message, { code: "certificate.partners", field });

const ENDED = "The certificate has ended. Its partners cannot be changed any more.";

/** Throws a PortalError when the partners of a certificate cannot be changed. */
function requireOpenForPartners({ status }: Pick<CertificateRow, "status">): void {
  const barrier = whyNotView(status) ?? (USABLE.includes(status) ? null : ENDED);
  if (barrier !== null) throw partnersRefusal(barrier);
}

/** Returns the partners of a certificate as the company sees them. */
export async function viewPartners(db: DbOrTrx, certificateId: number): Promise<PartnerView[]> {
  const reached = await reachPartners(db, await listPartners(db, certificateId));
  return reached.map(({ partner, isStopped }) => toPartnerView(partner, isStopped));
}

/** Returns the certificates whose partners can be taken over, for a select. */
async function listSources({ id, companyId }: CertificateRow) {
  const sources = await listPartnerSources(getDb(), { companyId, except: id });
  return sources.map((one) => {
    const partners = Number(one.partners);
    return {
      value: String(one.id),
      label: `${one.commonName} (${one.id}), ${partners} ${partners === 1 ? "partner" : "partners"}`,
    };
  });
}

/**
 * Returns the partners of a certificate with what they have answered. Returns null when the certificate is missing or belongs to somebody
 * else. Throws a PortalError when there is no certificate yet.
 */
export async function findPartners(user: SessionUser, id: number) {
  const row = await findVisibleCertificate(getDb(), id, user);
  if (!row) return null;
  const barrier = whyNotView(row.status);
  if (barrier !== null) throw partnersRefusal(barrier);
  const partners = await viewPartners(getDb(), id);
  const publication = await findPublication(getDb(), id);
  const isUsable = USABLE.includes(row.status);
  const mayChange = isUsable && mayFor(user, row, "tell-partners");
  const settings = await findPartnerSettings(getDb(), id);
  const previous =
    row.previousCertificateId === null ? null : await findCertificate(getDb(), row.previousCertificateId);
  return {
    certificateId: row.id,
    commonName: row.commonName,
    expiryDate: row.expiryDate,
    previous: previous && { id: previous.id, expiryDate: previous.expiryDate },
    partners,
    readiness: readinessOf(partners),
    publishedAt: publication?.publishedAt ?? null,
    cutOverOn: publication?.cutOverOn ?? null,
    mayChange,
    /** How many days after its issue a renewal is to be used, which is published by itself. Null when somebody publishes it. */
    switchDays: settings?.switchDays ?? null,
    /** Other certificates of the company whose partners can be taken over. */
    sources: mayChange ? await listSources(row) : [],
    /** Why the partners cannot be changed any more, or null. */
    barrier: isUsable ? null : ENDED,
  };
}

export type PartnersPage = NonNullable<Awaited<ReturnType<typeof findPartners>>>;

/** Returns the certificate in its current state, locked. Throws a PortalError unless the user may change its partners now. */
export async function lockForPartners(trx: Trx, user: SessionUser, id: number): Promise<CertificateRow> {
  const row = await lockCertificate(trx, id);
  if (!row) throw notFound();
  await requireMember(trx, user, row, "tell-partners");
  requireOpenForPartners(row);
  return row;
}

/** Throws a PortalError (404) when the certificate is missing or belongs to somebody else. */
export async function requireVisibleCertificate(user: SessionUser, id: number): Promise<void> {
  if (!(await findVisibleCertificate(getDb(), id, user))) throw notFound();
}

const SEARCHERS_ONLY =
  "only companies with a code of their own can name entities of the register. Give an email address.";

/** Returns the id of the entity that a line names, null for an address, or a sentence that says why it cannot be a partner. */
async function entityOf(trx: Trx, { entity }: PartnerLine, maySearch: boolean): Promise<number | string | null> {
  if (entity === null) return null;
  const name = entity.code + entity.subcode;
  if (!maySearch) return SEARCHERS_ONLY;
  const code = await findCodeByName(trx, entity.code, entity.subcode);
  if (!code) return `there is no entity with the code '${name}'.`;
  const address = await addressOfEntity(trx, code);
  return address === null ? `the owner of '${name}' cannot be reached by email. Give an email address.` : code.id;
}

/** Returns the sentences about wrong lines in their order, as one message. */
const inOrder = (problems: readonly LineProblem[]): string =>
  asLines(
    problems.toSorted((one, other) => one.line - other.line).map(({ line, message }) => `Line ${line}: ${message}`),
  );

/** Records a change of a certificate's partners, or something that they do. */
export const recordPartners = (
  trx: Trx,
  { id: certificateId, userId, orderId, serialNumber: reference }: CertificateRow,
  { actor, event, message }: Pick<Parameters<typeof recordAudit>[1], "actor" | "event" | "message">,
  now: Date,
): Promise<void> => recordAudit(trx, { actor, event, message, userId, orderId, certificateId, reference }, now);

/** How many partners of a list were new, and how many the certificate had already. */
export interface AddedPartners {
  added: number;
  known: number;
}

/**
 * Adds the partners of a list, one a line, to a certificate. When a line is wrong, none is added, and the error has a sentence for each wrong
 * line. Throws a PortalError (404) when the certificate is missing or belongs to somebody else, and (403) when the role of the user does not
 * allow it.
 */
export async function addPartners(
  user: SessionUser,
  id: number,
  text: string,
  now = new Date(),
): Promise<AddedPartners> {
  await requireVisibleCertificate(user, id);
  const { partners, problems } = readPartnerLines(text);
  const maySearch = partners.some(({ entity }) => entity !== null) && (await maySearchCodes(user));
  return inTransaction(async (trx) => {
    const certificate = await lockForPartners(trx, user, id);
    const rows = [];
    const wrong = [...problems];
    for (const partner of partners) {
      const codeId = await entityOf(trx, partner, maySearch);
      if (typeof codeId === "string") wrong.push({ line: partner.line, message: codeId });
      else {
        const { email, name } = partner;
        const { companyId } = certificate;
        rows.push({ certificateId: id, companyId, email, codeId, name, addedBy: user.id, addedAt: now });
      }
    }
    if (wrong.length > 0) throw partnersRefusal(inOrder(wrong));
    return storeAdded(trx, user, certificate, { rows, field: "partners" }, now);
  });
}

interface NewPartners {
  rows: readonly NewRow<"certificatePartners">[];
  /** The field for the error when there would be too many. */
  field: "partners" | "from";
}

/** Stores new partners of a locked certificate, with an audit entry. Throws a PortalError when there would be too many. */
async function storeAdded(
  trx: Trx,
  { actor }: SessionUser,
  certificate: CertificateRow,
  { rows, field }: NewPartners,
  now: Date,
): Promise<AddedPartners> {
  const before = await listPartners(trx, certificate.id);
  const added = await insertPartners(trx, rows);
  if (before.length + added > MOST_PARTNERS)
    throw partnersRefusal(
      `A certificate has at most ${MOST_PARTNERS} partners. With these it would have ${before.length + added}.`,
      field,
    );
  if (added > 0) {
    const known = new Set(before.map(({ id }) => id));
    const names = (await listPartners(trx, certificate.id)).filter(({ id }) => !known.has(id)).map(partnerWords);
    const message = `Added partners of the certificate for ${certificate.commonName}: ${names.join(", ")}.`;
    await recordPartners(trx, certificate, { actor, event: "certificate.partners-added", message }, now);
  }
  return { added, known: rows.length - added };
}

/**
 * Adds the partners of another certificate of the company, but for those who said that it is not theirs. Throws a PortalError (404) when the
 * certificate is missing or belongs to somebody else, (403) when the role of the user does not allow it, and for the field `from` when that
 * certificate is of another company or has no partners, or there would be too many.
 */
export async function copyPartners(
  user: SessionUser,
  id: number,
  from: number,
  now = new Date(),
): Promise<AddedPartners> {
  await requireVisibleCertificate(user, id);
  return inTransaction(async (trx) => {
    const certificate = await lockForPartners(trx, user, id);
    const { companyId } = certificate;
    const partners = (await listPartners(trx, from)).filter((one) => one.companyId === companyId);
    const rows = partners
      .filter(({ answer }) => answer !== "not-ours")
      .map(({ email, codeId, name }) => ({ certificateId: id, companyId, email, codeId, name }))
      .map((row) => ({ ...row, addedBy: user.id, addedAt: now }));
    if (rows.length === 0) throw partnersRefusal("This certificate has no partners that can be taken over.", "from");
    return storeAdded(trx, user, certificate, { rows, field: "from" }, now);
  });
}

/** Returns a partner of a certificate. Throws a PortalError when there is none with this id. */
async function getPartner(trx: Trx, certificateId: number, partnerId: number): Promise<PartnerRow> {
  const partner = (await listPartners(trx, certificateId)).find(({ id }) => id === partnerId);
  if (!partner)
    throw new PortalError("There is no such partner any more.", {
      code: "not-found",
      status: 404,
      field: "partnerId",
    });
  return partner;
}

/**
 * Removes a partner of a certificate. The links that were sent to the partner end. Throws a PortalError (404) when the certificate is missing
 * or belongs to somebody else, (403) when the role of the user does not allow it, and for the field `partnerId` when there is no such partner.
 */
export async function removePartner(
  user: SessionUser,
  id: number,
  partnerId: number,
  now = new Date(),
): Promise<string> {
  await requireVisibleCertificate(user, id);
  return inTransaction(async (trx) => {
    const certificate = await lockForPartners(trx, user, id);
    const words = partnerWords(await getPartner(trx, id, partnerId));
    await deletePartner(trx, partnerId);
    const message = `Removed a partner of the certificate for ${certificate.commonName}: ${words}.`;
    await recordPartners(trx, certificate, { actor: user.actor, event: "certificate.partner-removed", message }, now);
    return words;
  });
}
