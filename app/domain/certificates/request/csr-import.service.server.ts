import { LRUCache } from "lru-cache";
import { certifiedSubject } from "~/ca/certificate/profile.server";
import { type CsrPolicy } from "~/ca/csr/check.server";
import { type Csr, type CsrReadCode, type CsrReadResult, readCsr } from "~/ca/csr/read.server";
import { type RequestRefusal } from "~/ca/csr/rules/catalogue";
import { sha256Hex } from "~/ca/thumbprint.server";
import { type SubjectFields, surplusAttributes } from "~/ca/x509/name.server";
import { recordKeyOfAnother, whyNoMoreKeys } from "~/domain/keys/key-of-another.server";
import { accountOf, keyRefusals, relatedKeyRefusals, type Requester } from "~/domain/keys/key-rules.server";
import { tooManyTries, tryToConsume } from "~/domain/limits/tries.server";
import { listSubjectCountries } from "~/domain/reference/countries.server";
import { inWorker } from "~/domain/workers/pool.server";
import { allowedNames } from "~/lib/allowed-names.server";
import { asLines, type BrokenRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { type OrderForm } from "../purchase/order-form.schema";
import { namesToBe } from "./certified-names.server";
import { type CsrDetails, type ShownCsr } from "./csr-import.schema";
import { csrMessages } from "./csr-text";
import { explainedBreach, explainRefusals, READING_CODES } from "./explained-rules.server";
import { marksOfCsr } from "./marks.server";
import { captionedNames, isReadable } from "./subject-names.server";

/**
 * `messages` names everything that keeps the CSR from being accepted, `rules` the rules behind it. `retryAfter` is set when the rate limit is
 * reached: the seconds until another CSR is checked.
 */
export type CsrImport =
  | { ok: true; csr: Csr; details: CsrDetails }
  | { ok: false; messages: string[]; rules?: BrokenRule[]; retryAfter?: number };

/** Returns the error to throw for a refused CSR. When the rate limit is reached, it has status 429 and the seconds until the next try. */
export const refusedCsr = (
  { messages, rules, retryAfter }: Extract<CsrImport, { ok: false }>,
  options: { code: string; field?: string },
): PortalError => {
  const limited = retryAfter === undefined ? {} : { code: "rate-limit", status: 429, retryAfter };
  return new PortalError(asLines(messages), { ...options, ...limited, rules });
};

/** A pasted text or a file that should contain a CSR, with the result of reading it. */
export interface CsrInput {
  read: CsrReadResult;
  /** `readable` input can be stored, `unkept` input is only shown once more, and a `private-key` is neither stored nor shown. */
  kind: "readable" | "private-key" | "unkept";
}

const HOLDS_KEY =
  "This holds a private key or a part of one. Never send a private key to anyone: it was not stored, but treat it as disclosed, create a new key and import the CSR made with it.";

/** Also matches parts of a key: one whose beginning is cut off, or one in a text that is too long to be read. */
const KEY_TEXT = /(BEGIN|END)[A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File/i;

const hasKeyText = (input: string | Uint8Array): boolean =>
  KEY_TEXT.test(typeof input === "string" ? input : Buffer.from(input).toString("latin1"));

/** Input that is never stored: it is longer than a CSR can be, or has something after the CSR. */
const UNKEPT: readonly CsrReadCode[] = ["too-large", "trailing"];

function kindOf(input: string | Uint8Array, read: CsrReadResult): CsrInput["kind"] {
  if ((!read.ok && read.code === "private-key") || hasKeyText(input)) return "private-key";
  return !read.ok && UNKEPT.includes(read.code) ? "unkept" : "readable";
}

/**
 * Reads a pasted text or the bytes of a file. A request reads its CSR once and passes the result on. Never throws, whatever the bytes are.
 */
export function readCsrInput(input: string | Uint8Array): CsrInput {
  const read = readCsr(input);
  return { read, kind: kindOf(input, read) };
}

/** Returns the PEM text of the CSR, or null when it cannot be read or must not be stored. */
export const pemOf = ({ read, kind }: CsrInput): string | null =>
  read.ok && kind === "readable" ? read.csr.pem : null;

/**
 * Imports a CSR with `checkImport`. Each import consumes one of the tries that the account of the requester has, so that every page and
 * call that takes a CSR is limited. Must not be called inside a transaction.
 */
export async function importCsr(input: CsrInput, requester: Requester, keptSsid?: string | null): Promise<CsrImport> {
  const retryAfter = await tryToConsume("csr-account", accountOf(requester));
  if (retryAfter !== null) return { ok: false, messages: [tooManyTries("csr-account", retryAfter)], retryAfter };
  return checkImport(input, requester, keptSsid);
}

/**
 * Checks a CSR against the CA's policy, the blocklist and the keys of other accounts and subjects. A key of another account is recorded and
 * counts against the rate limit. Call it directly only for a CSR that was imported before.
 *
 * @param keptSsid The OFTP ID of the certificate that the new one follows, if any.
 * @returns The CSR with its details, or every reason why it is refused.
 */
export async function checkImport(
  { read, kind }: CsrInput,
  requester: Requester,
  keptSsid?: string | null,
): Promise<CsrImport> {
  if (!read.ok || kind === "private-key") return notAccepted([unreadableRule({ read, kind })]);
  const noMore = await whyNoMoreKeys(requester);
  if (noMore !== null) return { ok: false, messages: [noMore.message], retryAfter: noMore.retryAfter };
  const refusals = await csrRefusals(read.csr, requester, keptSsid);
  if (refusals.some(({ code }) => code === "key-of-another")) await recordKeyOfAnother(read.csr.keyIdentity, requester);
  if (refusals.length > 0) return notAccepted(explainRefusals(refusals));
  return { ok: true, csr: read.csr, details: csrDetailsOf(read.csr) };
}

/** Returns the import of a CSR that breaks these rules. */
export const notAccepted = (rules: BrokenRule[]): Extract<CsrImport, { ok: false }> => ({
  ok: false,
  messages: rules.map(({ message }) => message),
  rules,
});

/** Verdicts on CSRs by hash and policy. They are found again when an order is completed, checked and approved. */
const verdicts = memoize(() => new LRUCache<string, readonly RequestRefusal[]>({ max: 2_000 }));

/**
 * Returns the rules of the CA's policy that a CSR breaks. The verdict depends on nothing but the CSR's bytes, its subject and the policy, so it
 * is cached by them. What depends on lists of keys or on other orders is not part of it. The work is done in a worker thread.
 */
export async function csrVerdict(csr: Csr, keptSsid?: string | null): Promise<readonly RequestRefusal[]> {
  const policy = await csrPolicy(keptSsid);
  const { subjectAttributes } = csr; // not always those in the bytes (`withSubject`)
  const facts = { ...policy, countryCodes: [...policy.countryCodes], subjectAttributes };
  const key = `${csr.sha256} ${sha256Hex(Buffer.from(JSON.stringify(facts)))}`;
  const known = verdicts().get(key);
  if (known) return known;
  const verdict = await inWorker("csrRefusals", { csr, policy });
  verdicts().set(key, verdict);
  return verdict;
}

/** Returns what `csrVerdict` does for a new certificate without reading or filling the cache: how long it takes tells nobody which CSRs the portal knows. */
export const uncachedVerdict = async (csr: Csr): Promise<readonly RequestRefusal[]> =>
  inWorker("csrRefusals", { csr, policy: await csrPolicy() });

/** Returns the CA's policy for CSRs as the configuration has it. */
async function csrPolicy(keptSsid: string | null = null): Promise<CsrPolicy> {
  const { keyAlgorithms } = getConfig().certificates;
  const countryCodes = new Set((await listSubjectCountries()).map(({ iso }) => iso));
  return { keyAlgorithms, allowedNames: allowedNames(), countryCodes, keptSsid };
}

/** Returns every rule that a CSR breaks at present. The most expensive check runs last, and only for a CSR that passes all others. */
export async function csrRefusals(csr: Csr, requester: Requester, keptSsid?: string | null): Promise<RequestRefusal[]> {
  const broken = [...(await csrVerdict(csr, keptSsid)), ...(await keyRefusals(getDb(), csr, requester.companyId))];
  return broken.length > 0 ? broken : relatedKeyRefusals(csr, requester);
}

/**
 * Returns the details for a page, with serial number and names as the certificate will have them (PUR-03, CAL-02).
 *
 * @param form `oftpid` is the OFTP ID that was typed for a CSR without one; `usage` has the usage attributes of the certificate.
 *   `isRenewal` is true when the certificate follows another one.
 */
export function shownCsr(
  details: CsrDetails,
  { oftpid, usage, isRenewal }: Pick<OrderForm, "oftpid" | "usage"> & { isRenewal: boolean },
): ShownCsr {
  const ssid = details.ssid ?? (oftpid || null);
  const names = namesToBe({ ...details, ssid });
  return {
    ...details,
    serialNumber: ssid ?? details.serialNumber,
    names: captionedNames(names),
    marks: marksOfCsr({
      details,
      commonName: details.commonName,
      names,
      isForTls: usage.includes("hasSecureSession"),
      isRenewal,
    }),
  };
}

/** Returns the rule by which this input is not accepted as a CSR: it contains a private key, or it cannot be read. */
export function unreadableRule({ read, kind }: CsrInput): BrokenRule {
  const isKnown = !read.ok && (read.code === "private-key" || kind !== "private-key");
  const code = READING_CODES[isKnown ? read.code : "private-key"];
  return explainedBreach(code, `${csrMessages.decode}. ${isKnown ? read.message : HOLDS_KEY}`);
}

/** Returns a subject as it will be certified, with an empty text for each missing attribute. */
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

/** The names that RFC 5280 §4.2.1.6 gives to the kinds of alternative names that this CA does not certify. */
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

/** Returns the details of a CSR for a page. */
export const csrDetailsOf = ({
  subject,
  subjectAlternateName,
  publicKey,
  spkiSha256,
  ssid,
  ...csr
}: Csr): CsrDetails => ({
  ...subjectDetails(subject),
  alternativeNames: subjectAlternateName.map(({ type, value }) => ({ type, value })),
  keyAlgorithm: publicKey.algorithm,
  keySize: publicKey.bits,
  keyFingerprint: colonHex(spkiSha256),
  ssid,
  leftOut: [...surplusAttributes(csr.subjectAttributes), ...new Set(otherNames(subjectAlternateName))],
});
