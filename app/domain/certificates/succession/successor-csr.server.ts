import { certifiedNames } from "~/ca/certificate/profile.server";
import { type Csr } from "~/ca/csr/read.server";
import { KEY_OF_ANOTHER, type Requester } from "~/domain/keys/key-rules.server";
import { isTaken } from "~/domain/keys/key-use.policy";
import { foldName } from "~/lib/fold-text";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import {
  checkImport,
  type CsrImport,
  type CsrInput,
  importCsr,
  readCsrInput,
} from "../request/csr-import.service.server";
import { type Original, type Preceding } from "./original.server";

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

/** Returns the differences between a CSR and the certificate that it is to follow, one line each, or "" when there are none (REN-03). */
export function differencesText(csr: Csr, original: Preceding): string {
  const { subject } = original;
  const differences = [
    text("Common name", csr.subject.commonName, subject.commonName),
    text("Organisation name", csr.subject.organisation, subject.organisation),
    text("Location", csr.subject.locality, subject.locality),
    text("Country", csr.subject.country, subject.country),
    dnsNames(csr, original),
    ...ssid(csr, original),
  ]
    .filter(({ isSame }) => !isSame)
    .map(({ label, received, expected }) => `${label}: Received ${received || "none"}, Expected ${expected || "none"}`);
  return differences.length > 0 ? [INTRO, ...differences].join("\n") : "";
}

/**
 * Returns why the key of a CSR is not new: a certificate or an order has it. Returns "" when it is new. The text does not reveal an order
 * of another account.
 */
export async function takenKeyProblem(db: DbOrTrx, { keyIdentity }: Csr, companyId: number): Promise<string> {
  const holders = (await listKeyHolders(db, keyIdentity)).filter(isTaken);
  if (holders.length === 0) return "";
  return holders.some((holder) => holder.companyId !== companyId) ? KEY_OF_ANOTHER : NEW_KEY.taken;
}

/** Returns why the key of a CSR cannot be a successor's key: it is not new, or is of another type. Returns "" when it can. */
export async function newKeyProblem(db: DbOrTrx, csr: Csr, { row, keyAlgorithm }: Preceding): Promise<string> {
  if (csr.keyIdentity === row.keyIdentity) return NEW_KEY.same;
  const problem = await takenKeyProblem(db, csr, row.companyId);
  if (problem) return problem;
  const { algorithm } = csr.publicKey;
  return algorithm === keyAlgorithm ? "" : NEW_KEY.algorithm(algorithm, keyAlgorithm);
}

/** Returns why an acceptable CSR cannot follow this certificate, as lines of one text, or "" when it can. */
export const successorRefusal = async (db: DbOrTrx, csr: Csr, original: Preceding): Promise<string> =>
  [differencesText(csr, original), await newKeyProblem(db, csr, original)].filter(Boolean).join("\n");

/** Imports a CSR with `importCsr`, and applies the rules of a renewal when the order is one. */
export const importOrderCsr = async (
  input: CsrInput,
  requester: Requester,
  original: Original | null,
): Promise<CsrImport> => asSuccessor(await importCsr(input, requester, original?.row.ssid), original);

/** Checks again a CSR that `importOrderCsr` has accepted, because the facts about its key can change. Consumes no try. */
export const checkOrderCsr = async (
  input: CsrInput,
  requester: Requester,
  original: Original | null,
): Promise<CsrImport> => asSuccessor(await checkImport(input, requester, original?.row.ssid), original);

async function asSuccessor(read: CsrImport, original: Original | null): Promise<CsrImport> {
  if (!read.ok || !original) return read;
  const refusal = await successorRefusal(getDb(), read.csr, original);
  return refusal ? { ok: false, messages: [refusal] } : read;
}

/**
 * Imports a CSR that a JSON call sends as text, with `importCsr`. With `isKeyNew`, a key that a certificate or an order already has is
 * refused too.
 */
export async function decodeCsr(text: string, isKeyNew: boolean, requester: Requester): Promise<CsrImport> {
  const read = await importCsr(readCsrInput(text), requester);
  if (!read.ok || !isKeyNew) return read;
  const problem = await takenKeyProblem(getDb(), read.csr, requester.companyId);
  return problem ? { ok: false, messages: [problem] } : read;
}
