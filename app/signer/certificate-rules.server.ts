import { encodeProfile } from "~/ca/certificate/prepare.server";
import { profileOf } from "~/ca/certificate/profile.server";
import { type TbsCertificate, readTbsCertificate } from "~/ca/certificate/tbs.server";
import { usagesOfChoices } from "~/ca/certificate/usage.server";
import { checkKeyForm, type KeyPolicy } from "~/ca/csr/check-key.server";
import { hasControlCharacters } from "~/ca/csr/check-subject.server";
import { checkNameLimits, checkPurposeLimits, issuerLimits } from "~/ca/names/issuer-limits.server";
import { checkAlternativeHost, checkSubjectHosts, type NamePolicy } from "~/ca/names/name-policy.server";
import { encodeResponder } from "~/ca/ocsp/responder-certificate.server";
import { isDnsName, isMailbox } from "~/ca/x509/host-name.server";
import { formatName, surplusAttributes } from "~/ca/x509/name.server";
import { certificateAddresses } from "~/lib/certificate-addresses.server";
import { type SignerSettings } from "~/lib/signer-env.server";
import { type SigningIssuer } from "./issuers.server";
import { type SignedContent } from "./journal-entry.server";
import { requireRule } from "./refusal.server";
import { type CertifiedContent } from "./standing-scope.server";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** By how much the clocks of the portal and of the signer may differ, in milliseconds. */
export const SIGNER_CLOCK_TOLERANCE_MS = 10 * MINUTE;
/** How old the beginning of a certificate may be. One that waited longer for the signer is prepared again. */
const OLDEST_BEGINNING_MS = DAY;
/** The longest life of a certificate, counted from now: a renewal may take over the rest of the certificate before it. */
const LONGEST_YEARS = 5;
/** A responder is certified for 30 days from an hour ago. */
export const LONGEST_RESPONDER_MS = 30 * DAY + 60 * MINUTE;

const SERIAL_BYTES = { least: 9, most: 16 };

/** A request of the portal, as far as it is read, and what the journal will say of it. */
export interface ReadRequest {
  content: Omit<SignedContent, "sha256" | "authority">;
  /** What a standing grant looks at. Null for anything else than the certificate of an end entity. */
  certified: CertifiedContent | null;
  /** Throws a Refusal when a rule is broken that depends on the signer's clock. */
  checkTimes: (now: Date) => void;
}

/** Returns every union of usages that an applicant can select, as text. */
const usagesFor = (algorithm: "RSA" | "EC"): Set<string> =>
  new Set(usagesOfChoices(algorithm).map((usages) => JSON.stringify(usages)));

const USAGES = { RSA: usagesFor("RSA"), EC: usagesFor("EC") };

/** The attributes that each subject must have. */
const REQUIRED = ["C", "O"];

function checkSubject({ parsed }: TbsCertificate): void {
  const { attributes } = parsed.subject;
  const types = attributes.map(({ type }) => type);
  requireRule(
    surplusAttributes(attributes).length === 0,
    "The subject has an attribute that this CA does not certify.",
  );
  requireRule(new Set(types).size === types.length, "The subject has an attribute twice.");
  for (const type of REQUIRED)
    requireRule(
      attributes.some((attribute) => attribute.type === type && attribute.value.trim() !== ""),
      `The subject has no ${type}.`,
    );
  for (const { type, value } of attributes)
    requireRule(!hasControlCharacters(value), `The subject's ${type} holds control characters.`);
}

function checkNames({ description }: TbsCertificate, policy: NamePolicy): void {
  for (const { type, value } of description.subjectAlternateName) {
    requireRule(!hasControlCharacters(value), "An alternative name holds control characters.");
    requireRule(type !== "dns" || isDnsName(value), `'${value}' is not a valid DNS name.`);
    requireRule(type !== "rfc822" || isMailbox(value), `'${value}' is not a valid email address.`);
  }
  const hosts = [
    ...checkSubjectHosts(description.subject, policy),
    ...description.subjectAlternateName.flatMap((name) => checkAlternativeHost(name, policy)),
  ];
  const [problem] = hosts;
  // The portal may allow what the signer does not: then another CSR is not what is needed.
  const isClass = problem?.code.startsWith("name-") ?? false;
  requireRule(
    problem === undefined,
    isClass
      ? `${problem?.sentence} The signer certifies such names only when its SIGNER_ALLOW_NAMES lists their class.`
      : (problem?.message ?? ""),
  );
}

function checkTimesOf({ parsed }: TbsCertificate, { issuer }: SigningIssuer, now: Date): void {
  requireRule(parsed.notAfter > parsed.notBefore, "The certificate ends before it begins.");
  requireRule(parsed.notAfter <= issuer.notAfter, "The certificate ends after the CA's own.");
  requireRule(
    parsed.notBefore.getTime() <= now.getTime() + SIGNER_CLOCK_TOLERANCE_MS,
    "The certificate begins in the future, by the clock of the signer.",
  );
}

/** Refuses what has ended, and a beginning that is dated back. */
function checkNotPast({ parsed }: TbsCertificate, now: Date): void {
  requireRule(parsed.notAfter > now, "The certificate has ended already.");
  requireRule(
    parsed.notBefore.getTime() >= now.getTime() - OLDEST_BEGINNING_MS,
    "The certificate begins more than a day ago. Approve the order again, so that it is prepared again.",
  );
}

function checkLife({ parsed }: TbsCertificate, now: Date): void {
  const longest = new Date(now);
  longest.setUTCFullYear(longest.getUTCFullYear() + LONGEST_YEARS);
  const latest = longest.getTime() + DAY;
  requireRule(parsed.notAfter.getTime() <= latest, `The certificate ends later than in ${LONGEST_YEARS} years.`);
}

function checkSerial(serial: string): void {
  const bytes = serial.length / 2;
  requireRule(
    bytes >= SERIAL_BYTES.least && bytes <= SERIAL_BYTES.most,
    `The serial number has ${bytes} bytes; it must be ${SERIAL_BYTES.most} random bytes.`,
  );
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** What the operators of the signer have pinned. Undefined: whatever the portal says. */
export interface Pinned {
  repositoryUrl: string | undefined;
  policyOid: string | undefined;
}

const isOnly = (found: readonly string[], address: string): boolean => found.length === 1 && found[0] === address;

/** Requires that the certificate leads to the repository and names the policy that the operators of the signer have pinned. */
function checkPinned(
  { description }: TbsCertificate,
  { name }: SigningIssuer,
  { repositoryUrl, policyOid }: Pinned,
): void {
  const { crlUrls, freshestCrlUrls, caIssuersUrls, ocspUrls, policies } = description;
  if (repositoryUrl !== undefined) {
    const { crl, deltaCrl, caIssuers, ocsp, cps } = certificateAddresses(repositoryUrl, name);
    const isSameRepository =
      isOnly(crlUrls, crl) &&
      isOnly(freshestCrlUrls, deltaCrl) &&
      isOnly(caIssuersUrls, caIssuers) &&
      isOnly(ocspUrls, ocsp) &&
      policies[0]?.cpsUri === cps;
    requireRule(
      isSameRepository,
      `The certificate has an address that is not the one of '${name}' at ${repositoryUrl}, which the signer has from PUBLIC_URL or REPOSITORY_URL.`,
    );
  }
  const [policy] = policies;
  requireRule(
    policyOid === undefined || policy?.oid === policyOid,
    `The certificate names the policy ${policy?.oid ?? "none"}, and SIGNER_POLICY_OID is ${policyOid}.`,
  );
}

/** Requires that the CA's own certificate lets it certify the names and, except in a responder, the extended key usages. */
function checkLimits({ parsed, description }: TbsCertificate, { issuer }: SigningIssuer, isResponder: boolean): void {
  const limits = issuerLimits(issuer.certificateDer);
  const { subjectAlternateName: names, enhancedKeyUsage } = description;
  const [problem] = [
    ...checkNameLimits(limits, { subject: parsed.subject.attributes, names }),
    ...(isResponder ? [] : checkPurposeLimits(limits, enhancedKeyUsage)),
  ];
  requireRule(problem === undefined, problem?.sentence ?? "");
}

/** Returns the bytes that this CA writes for what the request says, or null when it says something that this CA does not write. */
function encodedAgain(read: TbsCertificate, { issuer, hash }: SigningIssuer, isResponder: boolean): Uint8Array | null {
  const { parsed, description } = read;
  const common = { issuer, hash, subjectDer: parsed.subject.der, spkiDer: parsed.key.spkiDer };
  const { notBefore, notAfter } = parsed;
  try {
    if (isResponder) return encodeResponder({ ...common, serial: description.serialNumber, notBefore, notAfter });
    return encodeProfile(profileOf(description), common);
  } catch {
    return null;
  }
}

/**
 * Reads the TBS certificate of an end entity or of an OCSP responder and checks every rule that depends on nothing but its bytes. What it says
 * is encoded again with the profile of this CA and must give the same bytes, so it has exactly the extensions of the profile.
 *
 * @throws Refusal `refused` with the rule that is broken, and CaError `malformed` for bytes that are no TBS certificate.
 */
export function readCertificateRequest(
  tbs: Uint8Array,
  issuer: SigningIssuer,
  policy: KeyPolicy & NamePolicy & Pinned & Pick<SignerSettings, "acceptsPast">,
): ReadRequest {
  const read = readTbsCertificate(tbs, issuer.hash);
  const { parsed, description } = read;
  const { publicKey } = parsed.key;
  const isResponder = description.enhancedKeyUsage.includes("OCSPSigning");
  requireRule(isSame(parsed.issuer.der, issuer.issuer.subjectDer), "The certificate names another issuer.");
  requireRule(!description.isCa, "The certificate would be that of a CA (basicConstraints CA:TRUE).");
  requireRule(
    description.authorityKeyIdentifier === Buffer.from(issuer.issuer.keyIdentifier).toString("hex"),
    "The authorityKeyIdentifier is not that of the CA.",
  );
  checkSerial(description.serialNumber);
  checkSubject(read);
  checkNames(read, policy);
  checkLimits(read, issuer, isResponder);
  const [problem] = checkKeyForm(publicKey, isResponder ? { keyAlgorithms: ["RSA"] } : policy);
  requireRule(problem === undefined, problem?.message ?? "");
  if (!isResponder) {
    const { keyUsage, enhancedKeyUsage: extendedKeyUsage } = description;
    const usages = publicKey.algorithm === "other" ? undefined : USAGES[publicKey.algorithm];
    requireRule(
      usages?.has(JSON.stringify({ keyUsage, extendedKeyUsage })) ?? false,
      "The key usages are not those of a usage that can be ordered.",
    );
  }
  if (!isResponder) checkPinned(read, issuer, policy);
  const expected = encodedAgain(read, issuer, isResponder);
  requireRule(
    expected !== null && isSame(tbs, expected),
    `The certificate differs from the profile of ${isResponder ? "a responder" : "an end entity"}.`,
  );
  return {
    content: {
      kind: isResponder ? "responder" : "certificate",
      issuer: issuer.name,
      serial: description.serialNumber,
      subject: formatName(parsed.subject.attributes),
    },
    certified: isResponder ? null : { issuer: issuer.name, description },
    checkTimes: (now) => {
      checkTimesOf(read, issuer, now);
      if (!isResponder) {
        if (!policy.acceptsPast) checkNotPast(read, now);
        return checkLife(read, now);
      }
      requireRule(parsed.notAfter > now, "The responder's certificate has ended already.");
      const life = parsed.notAfter.getTime() - parsed.notBefore.getTime();
      requireRule(life <= LONGEST_RESPONDER_MS, "The responder's certificate is valid for longer than 30 days.");
    },
  };
}
