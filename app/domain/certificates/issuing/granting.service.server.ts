import { sha256Hex } from "~/ca/thumbprint.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { sendGrant } from "~/domain/authorities/signer-client.server";
import { findSignerState } from "~/domain/authorities/signer-notice.server";
import {
  acceptedFactorsOf,
  explainRefusal,
  passkeyOptions,
  passkeysAmong,
  whenAsked,
} from "~/domain/authorities/signer-people.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { PortalError } from "~/lib/errors";
import { type FactorAnswer, LARGEST_GRANT } from "~/signer/protocol";
import { getDb } from "~db/connection.server";
import { type CertificateRow, listInterruptedOf } from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { recordAbout } from "./finishing.server";

/** The SHA-256 of the TBS certificate of an order in lower-case hex. */
const digestOf = ({ tbsCertificate }: CertificateRow): string => sha256Hex(tbsCertificate ?? new Uint8Array());

/** Returns what tells one list of certificates from another. `digests` are in the order of `getGrantPage`. */
export const fingerprintOfShown = (digests: readonly string[]): string => sha256Hex(Buffer.from(digests.join()));

/** Returns whether this state is that of a signer that asks for the grants of people. */
export const isGranting = (state: Awaited<ReturnType<typeof findSignerState>>): boolean =>
  state !== null && typeof state !== "string" && state.needsGrants;

/** Returns whether the signer asks for the grant of a person. It does not when it cannot be reached. */
export const needsGrants = async (): Promise<boolean> => isGranting(await findSignerState());

/** Returns the approved orders of the user whose certificates are not signed yet, the oldest first, at most as many as one grant covers. */
const listWaiting = (user: SessionUser): Promise<CertificateRow[]> =>
  listInterruptedOf(getDb(), user.id, LARGEST_GRANT);

/** Returns how many approved orders wait until this user confirms them to the signer. */
export async function countWaitingForGrant(user: SessionUser): Promise<number> {
  const { length } = await listWaiting(user);
  return length > 0 && (await needsGrants()) ? length : 0;
}

/** Returns the certificates that the user can confirm to the signer, and with which factors. Throws a PortalError (403) without the right to approve. */
export async function getGrantPage(user: SessionUser) {
  await requireTask(getDb(), user.actor, "approve-orders");
  const state = await findSignerState();
  const isNeeded = isGranting(state);
  const rows = isNeeded ? await listWaiting(user) : [];
  const own = rows.length > 0 ? await acceptedFactorsOf(user) : [];
  return {
    isNeeded,
    /** Why the signer cannot be asked, or null. */
    problem: typeof state === "string" ? state : null,
    kinds: [...new Set(own.map(({ kind }) => kind))],
    fingerprint: fingerprintOfShown(rows.map(digestOf)),
    waiting: rows.map((row) => ({
      id: row.id,
      orderNumber: orderNumber(row.orderId),
      commonName: row.commonName,
      organisation: row.organisation,
      serialNumber: row.serialNumber ?? "",
      digest: digestOf(row),
    })),
  };
}

/** The certificates that a page has shown. */
export interface ShownCertificates {
  /** The ids of the orders. */
  ids: readonly number[];
  /** `fingerprint` of `getGrantPage`, which shows whether the certificates are the same now. */
  fingerprint: string;
}

/** Returns the orders that a page has shown. Throws a PortalError when somebody undid one of the approvals since, or one is issued. */
async function requireShown(user: SessionUser, { ids, fingerprint }: ShownCertificates): Promise<CertificateRow[]> {
  await requireTask(getDb(), user.actor, "approve-orders");
  const rows = (await listWaiting(user)).filter(({ id }) => ids.includes(id));
  if (rows.length > 0 && fingerprintOfShown(rows.map(digestOf)) === fingerprint) return rows;
  throw new PortalError("The list has changed since you opened it. Please look at it and confirm it again.", {
    code: "certificate.grant-changed",
  });
}

const askedOf = ({ username }: SessionUser, rows: readonly CertificateRow[]) =>
  ({ purpose: "grant", person: username, about: rows.map(digestOf) }) as const;

/** Returns what the browser needs to grant these certificates with a passkey. Throws what `grantCertificates` throws. */
export async function startGrant(user: SessionUser, shown: ShownCertificates, now = new Date()) {
  const rows = await requireShown(user, shown);
  return passkeyOptions(askedOf(user, rows), passkeysAmong(await acceptedFactorsOf(user)), now);
}

/**
 * Gives the signer the user's word for certificates of orders that the user has approved. From then on they can be issued, by
 * `approveOrdersOnce` or the job.
 *
 * @returns The ids of these orders. Others that were sent do not wait for the user, and nothing is to be done about them.
 * @throws PortalError for the field `code` when the code does not count, another one when the passkey does not count or the list has changed,
 *   403 without the right to approve, and 503 when the signer cannot be reached.
 */
export async function grantCertificates(
  user: SessionUser,
  shown: ShownCertificates,
  answer: FactorAnswer,
  now = new Date(),
): Promise<number[]> {
  const rows = await requireShown(user, shown);
  const asked = askedOf(user, rows);
  const request = { person: user.username, askedAt: whenAsked(asked, answer, now), answer, digests: [...asked.about] };
  const field = "code" in answer ? "code" : null;
  const grant = await sendGrant(request).catch((error: unknown) => explainRefusal(error, field));
  const how = "code" in answer ? "authenticator app" : "passkey";
  const message = `Confirmed the certificate to the signer with the ${how}; grant ${grant}.`;
  await inTransaction(async (trx) => {
    for (const row of rows) await recordAbout(trx, row, user.actor, "certificate.granted", message, now);
  });
  return rows.map(({ id }) => id);
}
