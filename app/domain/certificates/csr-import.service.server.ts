import { checkCsr } from "~/ca/csr/check.server";
import { readCsr, type Csr } from "~/ca/csr/read.server";
import { colonHex } from "~/lib/hex";
import { getConfig } from "~/lib/config.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { isKeyInUse } from "~db/repositories/certificates.server";
import { listCountries } from "~db/repositories/countries.server";
import { type CsrDetails, type ShownCsr } from "./csr-import.schema";
import { csrMessages } from "./csr-text";
import { captionedNames } from "./subject-names";

/** `messages` name every rule that is broken. */
export type CsrImport = { ok: true; csr: Csr; details: CsrDetails } | { ok: false; messages: string[] };

/** What may be done with an input before anything is known about it. */
export type CsrInputKind = "readable" | "private-key" | "too-large";

const MORE_MESSAGES = {
  privateKey:
    "This holds a private key or a part of one. Never send a private key to anyone: it was not stored, but treat it as disclosed, create a new key and import the CSR made with it.",
  blocked:
    "Public key: this key is blocked, because its private key is known to be compromised. Create a new key and a CSR with it.",
  inUse: "Public key: this key belongs to a certificate of another subject. Create a new key and a CSR with it.",
};

/** Finds the remains of a key too: cut off at the top, or in a text too long to be read. */
const KEY_TEXT = /(BEGIN|END)[A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File/i;

const hasKeyText = (input: string | Uint8Array): boolean =>
  KEY_TEXT.test(typeof input === "string" ? input : Buffer.from(input).toString("latin1"));

/** Whether the input can be kept and shown again: never a private key, nothing longer than a CSR can be. */
export function csrInputKind(input: string | Uint8Array): CsrInputKind {
  const read = readCsr(input);
  if ((!read.ok && read.code === "private-key") || hasKeyText(input)) return "private-key";
  return !read.ok && read.code === "too-large" ? "too-large" : "readable";
}

/** The PEM text of the CSR in a file, or null when there is none that can be read. */
export function pemOf(file: Uint8Array): string | null {
  const read = readCsr(file);
  return read.ok && !hasKeyText(file) ? read.csr.pem : null;
}

/**
 * Decodes a CSR and checks it against the CA's policy, the blocked keys and the keys of other subjects (decisions §4).
 * In: pasted text or a file's bytes. Out: the CSR with what it asks for, or every reason why not. Never throws on foreign bytes.
 */
export async function importCsr(input: string | Uint8Array): Promise<CsrImport> {
  const read = readCsr(input);
  const isKnownSecret = !read.ok && read.code === "private-key";
  if (!isKnownSecret && hasKeyText(input)) return undecoded(MORE_MESSAGES.privateKey);
  if (!read.ok) return undecoded(read.message);
  const { csr } = read;
  const countryCodes = new Set((await listCountries(getDb())).map(({ iso }) => iso));
  const broken = checkCsr(csr, { keyAlgorithms: getConfig().certificates.keyAlgorithms, countryCodes });
  const messages = [...broken.map(({ message }) => message), ...(await keyRefusals(getDb(), csr))];
  return messages.length > 0 ? { ok: false, messages } : { ok: true, csr, details: detailsOf(csr) };
}

/** The details with their names grouped for a page. */
export const shownCsr = (details: CsrDetails): ShownCsr => ({
  ...details,
  names: captionedNames(details.alternativeNames),
});

const undecoded = (reason: string): CsrImport => ({ ok: false, messages: [`${csrMessages.decode}. ${reason}`] });

/** Why the key of a CSR cannot be used (any more). */
export async function keyRefusals(db: DbOrTrx, { keyIdentity, subject }: Csr): Promise<string[]> {
  if (await isKeyBlocked(db, keyIdentity)) return [MORE_MESSAGES.blocked];
  const { commonName = "", organisation = "", country = "" } = subject;
  return (await isKeyInUse(db, keyIdentity, { commonName, organisation, country })) ? [MORE_MESSAGES.inUse] : [];
}

const detailsOf = ({ subject, subjectAlternateName, publicKey, spkiSha256, ssid }: Csr): CsrDetails => ({
  commonName: subject.commonName ?? "",
  organisation: subject.organisation ?? "",
  organisationUnit: subject.organisationUnit ?? "",
  serialNumber: subject.deviceSerialNumber ?? "",
  city: subject.locality ?? "",
  state: subject.state ?? "",
  country: subject.country ?? "",
  email: subject.email ?? "",
  alternativeNames: subjectAlternateName.map(({ type, value }) => ({ type, value })),
  keyAlgorithm: publicKey.algorithm,
  keySize: publicKey.bits,
  keyFingerprint: colonHex(spkiSha256),
  ssid,
});
