import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { askForStanding } from "~/domain/certificates/standing/asking.service.server";
import { approveStanding, checkStanding } from "~/domain/certificates/standing/decisions.service.server";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { insertDomain } from "~db/repositories/company-domains.server";
import { insertStanding } from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { type ApiClient, type Wrapped } from "./api";
import { complete, orderBody } from "./api-orders";
import { checksDone, setCertificate } from "./certificates";
import { personOf } from "./companies";
import { createAdmin } from "./factories";

type Owner = Parameters<typeof personOf>[0] & { companyId: number };

/** Confirms a domain for the company of an owner, as a DNS record does. */
export const confirmDomainOf = ({ id, companyId }: Owner & { id: number }, name: string, now = new Date()) =>
  inTransaction((trx) =>
    insertDomain(trx, {
      companyId,
      name,
      createdBy: id,
      createdAt: now,
      token: name,
      challengeEndsAt: new Date(now.getTime() + 86_400_000),
      confirmedAt: now,
      method: "dns",
      confirmedToken: name,
      validUntil: new Date(now.getTime() + 365 * 86_400_000),
    }),
  );

/** Orders a certificate as a program does, and has it checked and issued. Returns the id of the certificate. */
export async function issueBasis(client: ApiClient, csr: string): Promise<number> {
  const { content } = await complete(client, orderBody(csr));
  const certificate = await findCertificateByOrder(getDb(), content.orderId);
  if (!certificate) throw new Error("The order was not placed.");
  await setCertificate(certificate.id, checksDone());
  await approveOrder(certificate.id, await personOf(await createAdmin()));
  return certificate.id;
}

/** The last day that tests ask for. */
export const LAST_DAY = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);

export const STANDING_FORM = {
  usage: ["hasSecureSession", "hasEmail", "hasEncryption", "hasFileSigning"] as const,
  longestYears: 2,
  purchaseOrderNumber: "PO-STANDING",
  ceilingCertificates: 2 as number | null,
  ceilingEuro: null as number | null,
  isInvoicedMonthly: false,
  lastDay: LAST_DAY,
  termsAndConditionsAccepted: true,
};

/** Stores a standing authorisation that waits for staff, without any checks. Returns its id. */
export const storeStanding = ({ id: askedBy, companyId }: Owner & { id: number }, basedOn: number, text: string) =>
  inTransaction((trx) =>
    insertStanding(trx, {
      companyId,
      basedOn,
      askedBy,
      askedAt: new Date(),
      organisation: text,
      country: "GB",
      identityCheckedAt: new Date(),
      domains: "[]",
      oftpIds: "[]",
      usages: '["hasSecureSession"]',
      longestYears: 1,
      purchaseOrderNumber: text,
      ceilingCertificates: 1,
      endsAt: new Date(`${LAST_DAY}T00:00:00Z`),
    }),
  );

/** Asks for a standing authorisation, and has it checked and approved by two members of staff. Returns its id. */
export async function grantStanding(owner: Owner, basis: number, given: Partial<typeof STANDING_FORM> = {}) {
  const form = { ...STANDING_FORM, ...given };
  const id = await askForStanding(await personOf(owner), { ...form, usage: [...form.usage], basis });
  await checkStanding(await personOf(await createAdmin()), id, "Called back through the switchboard");
  await approveStanding(await personOf(await createAdmin({ firstName: "Petra", lastName: "Prior" })), id);
  return id;
}

export type AnswerUnder = Wrapped<{
  orderId: number;
  certificateId: number;
  isNotified: boolean;
  isWithin: boolean;
  isIssued: boolean;
  reasons: string[];
}>;

export const ORDER_UNDER = "certificates/OrderUnderStandingAuthorisation";

/** Orders under a standing authorisation as a program does. */
export const orderUnder = (
  client: ApiClient,
  standingAuthorisationId: number,
  csr: string,
  given: object = {},
  key?: string,
): Promise<AnswerUnder> =>
  client.post(
    ORDER_UNDER,
    { standingAuthorisationId, csr, ...given },
    key === undefined ? {} : { "Idempotency-Key": key },
  );
