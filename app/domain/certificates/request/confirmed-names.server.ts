import {
  type ConfirmedName,
  controlRefusals,
  type RequestedNames,
  unconfirmedNames,
} from "~/ca/names/domain-control.server";
import { shownName } from "~/ca/names/international.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { foldName } from "~/lib/fold-text";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listNamesOfReady } from "~db/repositories/certificate-list.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { listConfirmedNames } from "~db/repositories/company-domains.server";
import { namesOfOrder } from "./certified-names.server";
import { type CsrDetails, type ShownCsr } from "./csr-import.schema";
import { explainedBreach, explainRefusals } from "./explained-rules.server";
import { type SubjectName } from "./subject-names.server";

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

/**
 * Returns the rules that the names in these details break because the company has not confirmed them, whatever the configuration requires.
 * Names that the certificate `known` has are left out.
 */
export async function controlRulesOfOthers(
  details: CsrDetails,
  known: readonly SubjectName[],
  { companyId, commonName, email }: Pick<CertificateRow, "companyId" | "commonName" | "email">,
  now: Date,
): Promise<BrokenRule[]> {
  const names = namesInDetails(details);
  const isKnown = ({ type, value }: SubjectName) =>
    known.some((one) => one.type === type && foldName(one.value) === foldName(value));
  const others: RequestedNames = {
    commonName: foldName(names.commonName) === foldName(commonName) ? "" : names.commonName,
    email: names.email === email ? null : names.email,
    names: names.names.filter((name) => !isKnown(name)),
  };
  const confirmed = (await readConfirmed(getDb(), [companyId], now)).get(companyId) ?? [];
  return explainRefusals(controlRefusals(others, confirmed));
}

/** Returns a mark for the domains and mailboxes that are not among the confirmed ones, and one for the IP addresses. */
function marksFor(names: RequestedNames, confirmed: readonly ConfirmedName[], reader: Reader): BrokenRule[] {
  const { domainControl } = getConfig().names;
  if (domainControl === "off") return [];
  const found = unconfirmedNames(names, confirmed);
  return CONTROL_CODES.flatMap((code) => {
    const values = new Set(found.filter((name) => name.code === code).map(({ value }) => shownName(value)));
    const text = `${(reader === "visitor" ? SAID_TO_VISITORS : SAID)[code]}: ${[...values].join(", ")}. ${ADVICE[code][reader][domainControl]}`;
    return values.size === 0 ? [] : [explainedBreach(code, text)];
  });
}

/** Returns the marks of names that the company has not confirmed. */
const controlMarks = async (names: RequestedNames, companyId: number, reader: Reader, now: Date) =>
  marksFor(names, (await readConfirmed(getDb(), [companyId], now)).get(companyId) ?? [], reader);

/**
 * Returns what a company would have to confirm for a certificate with these details, for somebody whose company is not known. Where the
 * configuration requires confirmed names, IP addresses break a rule, because no company can confirm one.
 */
export function controlForVisitor(details: CsrDetails): { rules: BrokenRule[]; marks: BrokenRule[] } {
  const names = namesInDetails(details);
  const marks = marksFor(names, [], "visitor");
  if (getConfig().names.domainControl !== "require") return { rules: [], marks };
  const rules = explainRefusals(controlRefusals(names, []).filter(({ code }) => code === ADDRESS));
  return { rules, marks: marks.filter(({ code }) => code !== ADDRESS) };
}

const ADDRESS = "address-not-confirmed";
const CONTROL_CODES = ["domain-not-confirmed", ADDRESS] as const;

const SAID: Record<(typeof CONTROL_CODES)[number], string> = {
  "domain-not-confirmed": "The company has not confirmed",
  "address-not-confirmed": "Nobody can confirm an IP address in the portal",
};

const SAID_TO_VISITORS: typeof SAID = {
  ...SAID,
  "domain-not-confirmed": "The company that orders has to confirm",
};

/** What readers do about names that are not confirmed, by what the configuration says. */
const ADVICE = {
  "domain-not-confirmed": {
    customer: {
      mark: "Our staff look into it, unless an owner of the company confirms the domain or mailbox before.",
      require: "An owner of the company has to confirm the domain or mailbox first.",
    },
    visitor: {
      mark: "Otherwise an order marks these names, and our staff look into them.",
      require:
        "Otherwise an order refuses these names. Owners of a company confirm domains and mailboxes in the portal.",
    },
    staff: {
      mark: "Make sure that the customer may use these names, or ask the customer to confirm them.",
      require: "The order cannot be approved before the customer has confirmed them.",
    },
  },
  "address-not-confirmed": {
    customer: {
      mark: "Our staff look into it. The DNS name of the host needs no such check once its domain is confirmed.",
      require: "Create the CSR again with the DNS name of the host.",
    },
    visitor: {
      mark: "An order marks it, and our staff look into it. The DNS name of the host needs no such check once its domain is confirmed.",
      require: "Create the CSR again with the DNS name of the host.",
    },
    staff: {
      mark: "Make sure that the customer may use it.",
      require: "The order cannot be approved.",
    },
  },
} as const;

/** What an order with unconfirmed names waits for where the configuration requires confirmed ones. */
const CONFIRMATION = "Confirmation of its domains and mailboxes by the customer";

/** Returns what an order waits for because of its names, as a list of one or of nothing. */
export const waitsForNames = (isUnconfirmed: boolean): string[] =>
  isUnconfirmed && getConfig().names.domainControl === "require" ? [CONFIRMATION] : [];

type Reader = "customer" | "visitor" | "staff";

/** Adds to the details of a CSR the mark of the names that the company has not confirmed. */
export async function withControlMarks(
  shown: ShownCsr,
  companyId: number,
  reader: Reader = "customer",
  now = new Date(),
): Promise<ShownCsr> {
  return { ...shown, marks: [...shown.marks, ...(await controlMarks(namesInDetails(shown), companyId, reader, now))] };
}

/** Returns the marks of the names of an order that its company has not confirmed. */
export const controlMarksOfOrder = (
  row: OrderNames,
  reader: Reader = "staff",
  now = new Date(),
): Promise<BrokenRule[]> => controlMarks(namesInOrder(row), row.companyId, reader, now);

/** Returns the names of these orders that their company has not confirmed, by the id of the order. Orders without one are left out. */
export async function listUnconfirmedNames(
  orders: readonly (OrderNames & { id: number })[],
  now = new Date(),
): Promise<Map<number, string[]>> {
  if (getConfig().names.domainControl === "off") return new Map();
  const companyIds = orders.map(({ companyId }) => companyId);
  const confirmed = await readConfirmed(getDb(), companyIds, now);
  const listed = orders.map((row): [number, string[]] => {
    const names = unconfirmedNames(namesInOrder(row), confirmed.get(row.companyId) ?? []);
    return [row.id, [...new Set(names.map(({ value }) => shownName(value)))]];
  });
  return new Map(listed.filter(([, names]) => names.length > 0));
}

/** Returns the ids of the pending orders that cannot be approved only because the configuration requires confirmed names. */
export async function listHeldByNames(now = new Date()): Promise<number[]> {
  if (getConfig().names.domainControl !== "require") return [];
  return [...(await listUnconfirmedNames(await listNamesOfReady(getDb()), now)).keys()];
}
