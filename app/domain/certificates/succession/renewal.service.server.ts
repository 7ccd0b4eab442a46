import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { requireMember } from "~/domain/companies/membership.server";
import { mayAsMember, rolesFor } from "~/domain/companies/roles.policy";
import { startDraft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { preparedRenewalMail } from "~/domain/mail/templates/companies.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { notFound, PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { lockDraft, listHandedOver, updateDraft } from "~db/repositories/drafts.server";
import { listMembers } from "~db/repositories/members.server";
import { inTransaction } from "~db/transaction.server";
import { getCertificateOfOrder } from "../catalogue/of-order.service.server";
import { type Barrier } from "../certificates.policy";
import { parseContact } from "../purchase/contact.schema";
import { RENEWAL_YEARS, type UsageFlag } from "../purchase/fields";
import { type OpenOrder, whyNotRenewed } from "../purchase/open-order.server";
import { renewalWizard } from "../purchase/wizards.server";
import { findOriginal, type Original, type RenewalTerm } from "./original.server";
import { validityVerdict, type ValidityVerdict } from "./renewal.policy";

/** The data with which a renewal begins (REN-01). All of it comes from the certificate to renew and its order. */
export interface RenewalState {
  orderId: number;
  certificateId: number;
  commonName: string;
  /** An ISO timestamp. */
  certificateExpiryDate: string;
  /** The authentication contact, by field name. */
  contact: Typed;
  usage: UsageFlag[];
  oftpid: string | null;
  terms: RenewalTerm[];
}

/** Returns the stored authentication contact as values of the first step's form. */
export function contactValues({ authenticationContact }: Pick<CertificateRow, "authenticationContact">): Typed {
  const { countryId, name, company, position, email, phoneNumber, ...address } = parseContact(authenticationContact);
  const { addressLine1, addressLine2, city, postalCode } = address;
  const country = countryId === null ? "" : String(countryId);
  return { name, company, position, email, addressLine1, addressLine2, city, postalCode, country, phoneNumber };
}

const refusal = (barrier: NonNullable<Barrier>) => new PortalError(barrier, { code: "certificate.renew", field: "id" });

/**
 * Returns the certificate of an order as the original of its renewal. Throws a PortalError (404) when the user has no such order, or a
 * PortalError for the field `id` that says why it cannot be renewed now.
 */
export async function getOriginal(user: SessionUser, orderId: number, now = new Date()): Promise<Original> {
  const row = await getCertificateOfOrder(user, orderId);
  const barrier = await whyNotRenewed(getDb(), user, row, now);
  if (barrier) throw refusal(barrier);
  const original = await findOriginal(getDb(), row.id, now);
  if (!original) throw refusal("There is no certificate to renew.");
  return original;
}

/** Returns the renewal state of an order's certificate. Throws what `getOriginal` throws. */
export async function getRenewalState(user: SessionUser, orderId: number, now = new Date()): Promise<RenewalState> {
  const { row, usage, terms } = await getOriginal(user, orderId, now);
  return {
    orderId,
    certificateId: row.id,
    commonName: row.commonName,
    certificateExpiryDate: row.expiryDate,
    contact: contactValues(row),
    usage,
    oftpid: row.ssid,
    terms,
  };
}

/** Begins the renewal of an order's certificate and returns the id of its draft. Throws what `getOriginal` throws. */
export async function startRenewal(user: SessionUser, orderId: number, now = new Date()): Promise<string> {
  const { certificateId } = await getRenewalState(user, orderId, now);
  return startDraft(renewalWizard, user.id, { renews: certificateId }, now);
}

/** A renewal that a colleague has prepared and handed over. */
export interface PreparedRenewal {
  draftId: string;
  certificateId: number;
  commonName: string;
  /** The name of the colleague. */
  by: string;
  /** An ISO timestamp. */
  at: string;
}

/**
 * Hands a prepared renewal over to the owners and purchasers of the company, in one transaction with the messages to them. They find it
 * with their certificates for seven days. Returns to how many of them the message goes. Throws a PortalError when the draft has ended.
 */
export const handOverRenewal = (user: SessionUser, { draft, original }: OpenOrder, now = new Date()): Promise<number> =>
  inTransaction(async (trx) => {
    await requireMember(trx, user, user, "prepare-renewals");
    const held = await lockDraft(trx, { id: draft.id, userId: user.id, kind: draft.wizard.kind }, now);
    if (!held || !original) throw new PortalError("This renewal was completed already.", { code: "certificate.renew" });
    await updateDraft(trx, draft.id, { handedOverAt: now, expiresAt: new Date(now.getTime() + 7 * DAY) });
    const { commonName } = original.row;
    const members = await listMembers(trx, user.companyId);
    const told = members.filter(({ role, isDisabled }) => rolesFor("place-orders").includes(role) && !isDisabled);
    const url = getEnv().publicUrl + paths.certificateWizard("renew", "invoice-address", draft.id);
    const by = `${user.firstName} ${user.lastName}`;
    for (const { id, firstName } of told) {
      const mail = preparedRenewalMail({ name: firstName, commonName, by, url });
      await queueOwnMail(trx, id, { dedupeKey: `renewal-prepared:${draft.id}:${id}:${now.getTime()}`, mail }, now);
    }
    const { id: certificateId, orderId } = original.row;
    const entry = { event: "renewal.prepared", message: `Prepared the renewal of ${commonName} for a colleague.` };
    const about = { userId: user.id, certificateId, orderId, reference: draft.id };
    await recordAudit(trx, { actor: user.actor, ...entry, ...about }, now);
    return told.length;
  });

/** Returns the renewals that colleagues have prepared, latest first, for a user who may complete them; for others none. */
export async function listPreparedRenewals(user: SessionUser, now = new Date()): Promise<PreparedRenewal[]> {
  if (!mayAsMember(user, "place-orders")) return [];
  const rows = await listHandedOver(getDb(), { companyId: user.companyId, kind: renewalWizard.kind }, now);
  const prepared = rows.map(async ({ id, data, firstName, lastName, handedOverAt }) => {
    const { renews } = renewalWizard.schema.parse(JSON.parse(data));
    const row = renews === undefined ? null : await findCertificate(getDb(), renews);
    const by = { by: `${firstName} ${lastName}`, at: handedOverAt ?? "" };
    return row && { draftId: id, certificateId: row.id, commonName: row.commonName, ...by };
  });
  return (await Promise.all(prepared)).filter((one) => one !== null);
}

/**
 * Returns the answer of verifyCertificateExpiryDate (REN-02, API-03). Throws a PortalError (404) when the user has no such order, or a
 * PortalError for the field `years` when these years are not offered.
 */
export async function verifyExpiryDate(
  user: SessionUser,
  orderId: number,
  years: number,
  now = new Date(),
): Promise<ValidityVerdict> {
  const { expiryDate } = await getCertificateOfOrder(user, orderId);
  if (!expiryDate) throw notFound();
  if (!RENEWAL_YEARS.some((offered) => offered === years))
    throw new PortalError(messages.collection, { code: "renewal.years", field: "years" });
  return validityVerdict(new Date(expiryDate), years, now);
}
