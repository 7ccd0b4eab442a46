import { certifiedNames } from "~/ca/certificate/profile.server";
import { type Csr } from "~/ca/csr/read.server";
import { KEY_OF_ANOTHER, type Requester } from "~/domain/keys/key-rules.server";
import { isTaken } from "~/domain/keys/key-use.policy";
import { asLines, type BrokenRule } from "~/lib/broken-rule";
import { foldName } from "~/lib/fold-text";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { controlRules } from "../request/confirmed-names.server";
import {
  checkImport,
  type CsrImport,
  type CsrInput,
  importCsr,
  notAccepted,
  readCsrInput,
} from "../request/csr-import.service.server";
import { explainedBreach } from "../request/explained-rules.server";
import { limitRulesOfNew, type WantedCertificateUse } from "../request/issuer-limit-rules.server";
import { type Original, type Preceding } from "./original.server";
import { detailsToBe } from "./renewal-view.server";

/** The beginning of the message of REN-03, word for word. */
const INTRO = "The details from the original certificate and the new CSR must be identical...";

const NEW_KEY = {
  same: "Public key: this is the key of the original certificate. A new key is needed, because a key is not to be used for longer than its certificate. Create a new key and a CSR with it.",
  taken:
    "Public key: this key belongs to a certificate or an order already. A new key is needed. Create one and a CSR with it.",
  algorithm: (received: string, expected: string) =>
    `Public key: the CSR has a key of the type ${received}, the original certificate one of the type ${expected}; with another type the key usage would change. Create a new ${expected} key and a CSR with it.`,
};

/** Returns names as a set for comparison: folded, sorted, without duplicates. */
const asSet = (names: readonly string[]) => [...new Set(names.map(foldName))].sort();

interface Compared {
  label: string;
  received: string;
  expected: string;
  isSame: boolean;
}

const text = (label: string, received = "", expected = ""): Compared => ({
  label,
  received: received.trim(),
  expected: expected.trim(),
  isSame: foldName(received) === foldName(expected),
});

function dnsNames(csr: Csr, { dnsNames: expected }: Preceding): Compared {
  const certified = certifiedNames(csr.subjectAlternateName, null, csr.subject.commonName?.trim());
  const received = asSet(certified.filter(({ type }) => type === "dns").map(({ value }) => value));
  const list = asSet(expected);
  const isSame = received.join("\n") === list.join("\n");
  return { label: "Domain name", received: received.join("; "), expected: list.join("; "), isSame };
}

/**
 * Compares the SSID, which the successor takes over. A CSR without an SSID is accepted; a different SSID is a conflict (REN-03, PUR-04).
 */
const ssid = (csr: Csr, { row }: Preceding): Compared[] =>
  csr.ssid === null ? [] : [text("OFTP ID", csr.ssid, row.ssid ?? "")];

/** The beginning of the message about what a correction cannot change. */
const FIXED = "A correction changes the host and the usage. These details must be those of the certificate:";

/** Returns the details that stay the same in every successor, beside the names. */
const fixedDetails = (csr: Csr, { subject }: Preceding): Compared[] => [
  text("Organisation name", csr.subject.organisation, subject.organisation),
  text("Location", csr.subject.locality, subject.locality),
  text("Country", csr.subject.country, subject.country),
];

function differencesAmong(intro: string, compared: readonly Compared[]): BrokenRule | null {
  const differences = compared
    .filter(({ isSame }) => !isSame)
    .map(({ label, received, expected }) => `${label}: Received ${received || "none"}, Expected ${expected || "none"}`);
  return differences.length > 0 ? explainedBreach("renewal-details", asLines([intro, ...differences])) : null;
}

/** Returns the rule with the differences between a CSR and the certificate that it is to correct, apart from the host, or null. */
export const fixedDetailsRule = (csr: Csr, original: Preceding): BrokenRule | null =>
  differencesAmong(FIXED, [...fixedDetails(csr, original), ...ssid(csr, original)]);

/**
 * Returns the rule with the differences between a CSR and the certificate that it is to follow, a line for each, or null when there are none
 * (REN-03).
 */
export const differencesRule = (csr: Csr, original: Preceding): BrokenRule | null =>
  differencesAmong(INTRO, [
    text("Common name", csr.subject.commonName, original.subject.commonName),
    ...fixedDetails(csr, original),
    dnsNames(csr, original),
    ...ssid(csr, original),
  ]);

/**
 * Returns the rule that the key of a CSR breaks because it is not new: a certificate or an order has it. Returns null when it is new. The
 * text does not reveal an order of another account.
 */
export async function takenKeyRule(db: DbOrTrx, { keyIdentity }: Csr, companyId: number): Promise<BrokenRule | null> {
  const holders = (await listKeyHolders(db, keyIdentity)).filter(isTaken);
  if (holders.length === 0) return null;
  return holders.some((holder) => holder.companyId !== companyId)
    ? explainedBreach("key-of-another", KEY_OF_ANOTHER)
    : explainedBreach("renewal-key", NEW_KEY.taken);
}

/** Returns the rule by which the key of a CSR cannot be a successor's key: it is not new, or is of another type. Returns null when it can. */
export async function newKeyRule(db: DbOrTrx, csr: Csr, { row, keyAlgorithm }: Preceding): Promise<BrokenRule | null> {
  if (csr.keyIdentity === row.keyIdentity) return explainedBreach("renewal-key", NEW_KEY.same);
  const broken = await takenKeyRule(db, csr, row.companyId);
  const { algorithm } = csr.publicKey;
  if (broken || algorithm === keyAlgorithm) return broken;
  return explainedBreach("renewal-key-type", NEW_KEY.algorithm(algorithm, keyAlgorithm));
}

/** Returns the rules by which an acceptable CSR cannot follow this certificate. */
export const successorRefusals = async (db: DbOrTrx, csr: Csr, original: Preceding): Promise<BrokenRule[]> =>
  [differencesRule(csr, original), await newKeyRule(db, csr, original)].filter((rule) => rule !== null);

/** What an order wants beside its CSR: a new certificate with these choices, or the successor of a certificate. */
type WantedOrder = WantedCertificateUse | Original;

const isOriginal = (wanted: WantedOrder): wanted is Original => "row" in wanted;

/**
 * Imports a CSR with `importCsr`, and applies the rules of the order: those of a renewal, or for a new certificate those of the CA that
 * issues it, and those about the names that the company has confirmed. What a renewal takes over is judged with its years
 * (`Original.refusals`).
 */
export const importOrderCsr = async (input: CsrInput, requester: Requester, wanted: WantedOrder): Promise<CsrImport> =>
  forOrder(await importCsr(input, requester, keptSsidOf(wanted)), requester, wanted);

/** Checks again a CSR that `importOrderCsr` has accepted, because the facts about its key can change. Consumes no try. */
export const checkOrderCsr = async (input: CsrInput, requester: Requester, wanted: WantedOrder): Promise<CsrImport> =>
  forOrder(await checkImport(input, requester, keptSsidOf(wanted)), requester, wanted);

const keptSsidOf = (wanted: WantedOrder) => (isOriginal(wanted) ? wanted.row.ssid : undefined);

async function forOrder(
  read: CsrImport,
  { companyId }: Pick<Requester, "companyId">,
  wanted: WantedOrder,
): Promise<CsrImport> {
  if (!read.ok) return read;
  const original = isOriginal(wanted) ? wanted : null;
  const broken = [
    ...(isOriginal(wanted)
      ? await successorRefusals(getDb(), read.csr, wanted)
      : await limitRulesOfNew(read.csr, wanted)),
    ...(await controlRules(detailsToBe(read.details, original), companyId)),
  ];
  return broken.length > 0 ? notAccepted(broken) : read;
}

/**
 * Imports a CSR that a JSON call sends as text, as that of a new certificate. With `isKeyNew`, a key that a certificate or an order already has is
 * refused too.
 */
export async function decodeCsr(text: string, isKeyNew: boolean, requester: Requester): Promise<CsrImport> {
  const read = await importOrderCsr(readCsrInput(text), requester, { oftpid: "", usage: [] });
  if (!read.ok || !isKeyNew) return read;
  const broken = await takenKeyRule(getDb(), read.csr, requester.companyId);
  return broken ? notAccepted([broken]) : read;
}
