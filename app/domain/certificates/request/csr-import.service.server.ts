import { certifiedSubject } from "~/ca/certificate/profile.server";
import { checkCsr } from "~/ca/csr/check.server";
import { type Csr, type CsrReadCode, type CsrReadResult, readCsr } from "~/ca/csr/read.server";
import { type SubjectFields, surplusAttributes } from "~/ca/x509/name.server";
import { recordKeyOfAnother, whyNoMoreKeys } from "~/domain/keys/key-of-another.server";
import { keyRefusals, relatedKeyRefusals, type Requester } from "~/domain/keys/key-rules.server";
import { listSubjectCountries } from "~/domain/reference/countries.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import { type OrderForm } from "../purchase/order-form.schema";
import { namesToBe } from "./certified-names.server";
import { type CsrDetails, type ShownCsr } from "./csr-import.schema";
import { csrMessages } from "./csr-text";
import { missingHost } from "./missing-host.server";
import { captionedNames, isReadable } from "./subject-names";

/** `messages` name every rule that is broken. `retryAfter`: no CSR is looked at for so many seconds. */
export type CsrImport =
  | { ok: true; csr: Csr; details: CsrDetails }
  | { ok: false; messages: string[]; retryAfter?: number };

/** Returns a CSR that was refused as the error to throw; of one that was not looked at (429) with the seconds until it is. */
export const refusedCsr = (
  { messages, retryAfter }: Extract<CsrImport, { ok: false }>,
  options: { code: string; field?: string },
): PortalError => {
  const limited = retryAfter === undefined ? {} : { code: "rate-limit", status: 429, retryAfter };
  return new PortalError(messages.join(" "), { ...options, ...limited });
};

/** A pasted text or a file that should hold a CSR, as it was read. */
export interface CsrInput {
  read: CsrReadResult;
  /** Whether it can be stored (`readable`), only shown once more (`unkept`), or, as a private key, neither. */
  kind: "readable" | "private-key" | "unkept";
}

const HOLDS_KEY =
  "This holds a private key or a part of one. Never send a private key to anyone: it was not stored, but treat it as disclosed, create a new key and import the CSR made with it.";

/** Finds the remains of a key too: cut off at the top, or in a text too long to be read. */
const KEY_TEXT = /(BEGIN|END)[A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File/i;

const hasKeyText = (input: string | Uint8Array): boolean =>
  KEY_TEXT.test(typeof input === "string" ? input : Buffer.from(input).toString("latin1"));

/** Never stored: what is longer than a CSR can be, and what has anything behind the CSR. */
const UNKEPT: readonly CsrReadCode[] = ["too-large", "trailing"];

function kindOf(input: string | Uint8Array, read: CsrReadResult): CsrInput["kind"] {
  if ((!read.ok && read.code === "private-key") || hasKeyText(input)) return "private-key";
  return !read.ok && UNKEPT.includes(read.code) ? "unkept" : "readable";
}

/** Reads a pasted text or a file's bytes. A request reads its CSR once and passes this on. Never throws on foreign bytes. */
export function readCsrInput(input: string | Uint8Array): CsrInput {
  const read = readCsr(input);
  return { read, kind: kindOf(input, read) };
}

/** The PEM text of the CSR, or null when there is none that can be read and stored. */
export const pemOf = ({ read, kind }: CsrInput): string | null =>
  read.ok && kind === "readable" ? read.csr.pem : null;

/**
 * Checks a CSR against the CA's policy, the blocked keys and the keys of other accounts and subjects. A key of another account is recorded
 * and counted. Takes the CSR as it was read, who brings it, and the OFTP ID of the certificate that it follows. Returns the CSR with what it
 * asks for, or every reason why it is refused.
 */
export async function importCsr(
  { read, kind }: CsrInput,
  requester: Requester,
  keptSsid?: string | null,
): Promise<CsrImport> {
  if (!read.ok || kind === "private-key") return { ok: false, messages: [unreadableText({ read, kind })] };
  const noMore = await whyNoMoreKeys(requester);
  if (noMore !== null) return { ok: false, messages: [noMore.message], retryAfter: noMore.retryAfter };
  const refusals = await csrRefusals(read.csr, requester, keptSsid);
  if (refusals.some(({ code }) => code === "key-of-another")) await recordKeyOfAnother(read.csr.keyIdentity, requester);
  const messages = refusals.map(({ message }) => message);
  return messages.length > 0 ? { ok: false, messages } : { ok: true, csr: read.csr, details: detailsOf(read.csr) };
}

/** Every rule that a CSR breaks, here and now. What costs most is asked last, and of a CSR that is sound otherwise. */
export async function csrRefusals(
  csr: Csr,
  requester: Requester,
  keptSsid?: string | null,
): Promise<{ code: string; message: string }[]> {
  const countryCodes = new Set((await listSubjectCountries()).map(({ iso }) => iso));
  const { keyAlgorithms } = getConfig().certificates;
  const broken = [
    ...checkCsr(csr, { keyAlgorithms, countryCodes, keptSsid }),
    ...(await keyRefusals(getDb(), csr, requester.ownerId)),
  ];
  return broken.length > 0 ? broken : relatedKeyRefusals(csr, requester);
}

/**
 * The details for a page: serial number and names as the certificate will have them (PUR-03, CAL-02).
 * In: the OFTP ID that was typed for a CSR without one, and what the certificate is for.
 */
export function shownCsr(details: CsrDetails, { oftpid, usage }: Pick<OrderForm, "oftpid" | "usage">): ShownCsr {
  const ssid = details.ssid ?? (oftpid || null);
  const names = namesToBe({ ...details, ssid });
  return {
    ...details,
    serialNumber: ssid ?? details.serialNumber,
    names: captionedNames(names),
    missingHost: usage.includes("hasSecureSession") ? missingHost(details.commonName, names) : null,
  };
}

/** Returns why this input is not taken as a CSR: it holds a private key, or it cannot be read. */
export function unreadableText({ read, kind }: CsrInput): string {
  const isKnownKey = !read.ok && (read.code === "private-key" || kind !== "private-key");
  return `${csrMessages.decode}. ${isKnownKey ? read.message : HOLDS_KEY}`;
}

/** A subject as pages show it: as it is certified. */
export function subjectDetails(requested: SubjectFields) {
  const subject = certifiedSubject(requested, null);
  return {
    commonName: subject.commonName ?? "",
    organisation: subject.organisation ?? "",
    organisationUnit: subject.organisationUnit ?? "",
    serialNumber: subject.deviceSerialNumber ?? "",
    city: subject.locality ?? "",
    state: subject.state ?? "",
    country: subject.country ?? "",
    email: subject.email ?? "",
  };
}

/** How RFC 5280 §4.2.1.6 calls the kinds of names that this CA does not certify. */
const KINDS: Readonly<Record<string, string>> = {
  other: "otherName",
  x400: "x400Address",
  directory: "directoryName",
  ediParty: "ediPartyName",
  registeredId: "registeredID",
};

const otherNames = (names: Csr["subjectAlternateName"]): string[] =>
  names
    .filter((name) => !isReadable(name))
    .map(({ type }) => `an alternative name of the kind ${KINDS[type] ?? "unknown"}`);

const detailsOf = ({ subject, subjectAlternateName, publicKey, spkiSha256, ssid, ...csr }: Csr): CsrDetails => ({
  ...subjectDetails(subject),
  alternativeNames: subjectAlternateName.map(({ type, value }) => ({ type, value })),
  keyAlgorithm: publicKey.algorithm,
  keySize: publicKey.bits,
  keyFingerprint: colonHex(spkiSha256),
  ssid,
  leftOut: [...surplusAttributes(csr.subjectAttributes), ...new Set(otherNames(subjectAlternateName))],
});
