import {
  type ConfirmedName,
  controlRefusals,
  type RequestedNames,
  unconfirmedNames,
} from "~/ca/names/domain-control.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listConfirmedNames } from "~db/repositories/company-domains.server";
import { namesOfOrder } from "./certified-names.server";
import { type CsrDetails, type ShownCsr } from "./csr-import.schema";
import { explainedBreach, explainRefusals } from "./explained-rules.server";

/** The columns of an order that name hosts and mailboxes. */
type OrderNames = Pick<CertificateRow, "companyId" | "commonName" | "email" | "ssid" | "subjectAlternateName">;

const namesInOrder = (row: OrderNames): RequestedNames => ({
  commonName: row.commonName,
  email: row.email,
  names: namesOfOrder(row) as RequestedNames["names"],
});

const namesInDetails = ({ commonName, email, alternativeNames }: CsrDetails): RequestedNames => ({
  commonName,
  email: email || null,
  names: alternativeNames as RequestedNames["names"],
});

/** The domains and mailboxes that companies have confirmed, by company. */
type Confirmed = ReadonlyMap<number, readonly ConfirmedName[]>;

async function readConfirmed(db: DbOrTrx, companyIds: readonly number[], now: Date): Promise<Confirmed> {
  const names = new Map<number, ConfirmedName[]>();
  for (const { companyId, ...name } of await listConfirmedNames(db, [...new Set(companyIds)], now))
    names.set(companyId, [...(names.get(companyId) ?? []), name]);
  return names;
}

/** Returns what orders of these companies need for `whyNotControlled`, or null when the configuration does not require confirmed names. */
export const readRequired = async (db: DbOrTrx, companyIds: readonly number[], now: Date): Promise<Confirmed | null> =>
  getConfig().names.domainControl === "require" ? readConfirmed(db, companyIds, now) : null;

/** Returns the rules that the names of an order break because its company has not confirmed them. */
export const whyNotControlled = (row: OrderNames, required: Confirmed | null): BrokenRule[] =>
  required === null ? [] : explainRefusals(controlRefusals(namesInOrder(row), required.get(row.companyId) ?? []));

/**
 * Returns the rules that a certificate with these details would break because the company has not confirmed its names. Returns an empty
 * array where the configuration does not require confirmed names.
 */
export async function controlRules(details: CsrDetails, companyId: number, now = new Date()): Promise<BrokenRule[]> {
  const required = await readRequired(getDb(), [companyId], now);
  return required === null
    ? []
    : explainRefusals(controlRefusals(namesInDetails(details), required.get(companyId) ?? []));
}

/** Returns the mark of the names that the company has not confirmed, or an empty array. */
async function controlMarks(
  names: RequestedNames,
  companyId: number,
  reader: Reader,
  now: Date,
): Promise<BrokenRule[]> {
  const { domainControl } = getConfig().names;
  if (domainControl === "off") return [];
  const confirmed = (await readConfirmed(getDb(), [companyId], now)).get(companyId) ?? [];
  const values = [...new Set(unconfirmedNames(names, confirmed).map(({ value }) => value))];
  if (values.length === 0) return [];
  return [
    explainedBreach(
      "domain-not-confirmed",
      `The company has not confirmed: ${values.join(", ")}. ${ADVICE[reader][domainControl]}`,
    ),
  ];
}

/** What readers do about names that are not confirmed, by what the configuration says. */
const ADVICE = {
  customer: {
    mark: "Our staff look into it, unless an owner of the company confirms the domain or mailbox before.",
    require: "An owner of the company has to confirm the domain or mailbox before you can order.",
  },
  staff: {
    mark: "Make sure that the customer may use these names, or ask the customer to confirm them.",
    require: "The order cannot be approved before the customer has confirmed them.",
  },
} as const;

type Reader = keyof typeof ADVICE;

/** Adds to the details of a CSR the mark of the names that the company has not confirmed. */
export async function withControlMarks(
  shown: ShownCsr,
  companyId: number,
  reader: Reader = "customer",
  now = new Date(),
): Promise<ShownCsr> {
  return { ...shown, marks: [...shown.marks, ...(await controlMarks(namesInDetails(shown), companyId, reader, now))] };
}

/** Returns the mark of the names of an order that its company has not confirmed, for staff. */
export const controlMarksOfOrder = (row: OrderNames, now = new Date()): Promise<BrokenRule[]> =>
  controlMarks(namesInOrder(row), row.companyId, "staff", now);

/** The chip of an order in lists of staff. */
export const DOMAIN_CHIP = "Domain not confirmed";

/** Returns the chips of these orders, by id: which of them have names that their company has not confirmed. */
export async function listControlChips(
  orders: readonly (OrderNames & { id: number })[],
  now = new Date(),
): Promise<Map<number, string[]>> {
  if (getConfig().names.domainControl === "off") return new Map();
  const companyIds = orders.map(({ companyId }) => companyId);
  const confirmed = await readConfirmed(getDb(), companyIds, now);
  const marked = orders.filter(
    (row) => unconfirmedNames(namesInOrder(row), confirmed.get(row.companyId) ?? []).length > 0,
  );
  return new Map(marked.map(({ id }) => [id, [DOMAIN_CHIP]]));
}
