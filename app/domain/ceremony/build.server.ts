import { createPublicKey, hash } from "node:crypto";
import { encodeCaTbs } from "~/ca/certificate/ca-tbs.server";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { readIssuer, type Issuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { buildCrl } from "~/ca/crl/build.server";
import { CrlEntries } from "~/ca/crl/entries.server";
import { revokedEntryDer } from "~/ca/crl/entry.server";
import { parseCrl } from "~/ca/crl/parse.server";
import { prepareResponderCertificate } from "~/ca/ocsp/responder-certificate.server";
import { type SignatureHash, type Signer } from "~/ca/signer.server";
import { encodeName } from "~/ca/x509/name.server";
import { keyIdentifierOf } from "~/ca/x509/public-key.server";
import { DAY } from "~/lib/dates";
import { type PlannedStep } from "./inputs.server";
import { type Plan, type StepOf } from "./plan-schema.server";

/** What is not in the plan and is stored before anything is signed, so that signing again gives the same bytes. */
export interface FixedValues {
  /** The serial number as upper-case hex. A CRL has none. */
  serial: string;
  /** The public key of a new root. */
  spkiDer: Uint8Array | null;
}

/** The certificates of the CAs of a step. */
export interface StepAuthorities {
  /** Null for a root. */
  issuer: Uint8Array | null;
  existing: Uint8Array | null;
}

interface Life {
  notBefore?: Date;
  years?: number;
  days?: number;
  notAfter?: Date;
}

/** Returns the beginning and the end of a certificate. Without `notBefore` it begins with the day of the ceremony, in UTC. */
export function lifeOf(
  plan: Plan,
  { notBefore = new Date(`${plan.date}T00:00:00Z`), years = 0, days = 0, notAfter }: Life,
) {
  const end = new Date(notBefore.getTime() + days * DAY);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  return { notBefore, notAfter: notAfter ?? end };
}

/** Returns the hash with which a step is signed. */
export const stepHash = ({ step }: PlannedStep): SignatureHash =>
  step.kind === "crl" ? step.crl.hash : step.certificate.hash;

function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`A step of the plan has no ${what}.`);
  return value;
}

function rootTbs(plan: Plan, { certificate }: StepOf<"root">, { serial, spkiDer }: FixedValues): Uint8Array {
  const key = required(spkiDer, "key");
  const subjectDer = encodeName(certificate.subject);
  const issuer = { subjectDer, keyIdentifier: keyIdentifierOf(key) };
  return encodeCaTbs({
    serial,
    hash: certificate.hash,
    issuer,
    ...lifeOf(plan, certificate),
    subjectDer,
    spkiDer: key,
  });
}

function issuingTbs(
  plan: Plan,
  { certificate }: StepOf<"issuing">,
  spkiDer: Uint8Array,
  serial: string,
  issuer: Issuer,
) {
  const { subject, hash: digest, policy, crl, caIssuers, nameConstraints, extendedKeyUsage } = certificate;
  return encodeCaTbs({
    serial,
    hash: digest,
    issuer,
    ...lifeOf(plan, certificate),
    subjectDer: encodeName(subject),
    spkiDer,
    pathLength: 0,
    policy: { oid: policy.oid, cpsUri: policy.cps },
    urls: { crl, caIssuers },
    nameConstraints,
    extendedKeyUsage,
  });
}

/** Returns the TBS of a certificate for the subject and the key of an existing one, signed by another CA. */
function crossTbs(
  plan: Plan,
  { certificate }: StepOf<"cross-certificate">,
  existing: Uint8Array,
  serial: string,
  issuer: Issuer,
) {
  const { hash: digest, pathLength, policy, crl, caIssuers, nameConstraints, extendedKeyUsage } = certificate;
  const { subjectDer, keyIdentifier } = readIssuer(existing);
  return encodeCaTbs({
    serial,
    hash: digest,
    issuer,
    ...lifeOf(plan, certificate),
    subjectDer,
    spkiDer: parseCertificate(existing).key.spkiDer,
    keyIdentifier,
    ...(pathLength !== "none" && { pathLength }),
    ...(policy && { policy: { oid: policy.oid, cpsUri: policy.cps } }),
    urls: { crl, caIssuers },
    nameConstraints,
    extendedKeyUsage,
  });
}

function responderTbs(
  plan: Plan,
  { certificate }: StepOf<"ocsp-responder">,
  spkiDer: Uint8Array,
  serial: string,
  issuer: Issuer,
) {
  const { subject, hash: digest } = certificate;
  const random = () => Buffer.from(serial.padStart(32, "0"), "hex");
  return prepareResponderCertificate({ issuer, hash: digest, subject, spkiDer, ...lifeOf(plan, certificate), random })
    .tbs;
}

function tbsOf(
  plan: Plan,
  { step, csr }: PlannedStep,
  { issuer, existing }: StepAuthorities,
  fixed: FixedValues,
): Uint8Array {
  if (step.kind === "root") return rootTbs(plan, step, fixed);
  const authority = readIssuer(required(issuer, "issuer"));
  if (step.kind === "cross-certificate")
    return crossTbs(plan, step, required(existing, "existing certificate"), fixed.serial, authority);
  const spkiDer = required(csr, "CSR").spkiDer;
  if (step.kind === "issuing") return issuingTbs(plan, step, spkiDer, fixed.serial, authority);
  if (step.kind === "ocsp-responder") return responderTbs(plan, step, spkiDer, fixed.serial, authority);
  throw new Error("A CRL is not a certificate.");
}

/** Returns the CRL: the bytes of the entries of the previous one, then the added entries. */
async function crlOf({ crl }: StepOf<"crl">, { previous, revoked }: PlannedStep, issuer: Issuer, signer: Signer) {
  const entries = new CrlEntries();
  if (previous) entries.append(parseCrl(previous).entries);
  for (const entry of revoked) entries.append(revokedEntryDer(entry));
  const { number, thisUpdate, nextUpdate } = crl;
  return buildCrl({ issuer, signer, number, thisUpdate, nextUpdate, entries });
}

/**
 * Makes what a step signs. The same values always give the same bytes, because RSASSA-PKCS1-v1_5 is deterministic.
 *
 * @param plan The plan of the step.
 * @param planned The step with the contents of its files.
 * @param authorities The certificates of the CAs of the step.
 * @param fixed What was stored before.
 * @param signer Signs with the key of the issuer, or with that of the new root.
 * @returns The DER of the certificate or of the CRL.
 */
export async function buildStep(
  plan: Plan,
  planned: PlannedStep,
  authorities: StepAuthorities,
  fixed: FixedValues,
  signer: Signer,
): Promise<Uint8Array> {
  if (planned.step.kind === "crl")
    return crlOf(planned.step, planned, readIssuer(required(authorities.issuer, "issuer")), signer);
  const tbs = tbsOf(plan, planned, authorities, fixed);
  return assembleCertificate(tbs, await signer.sign(tbs), signer.hash);
}

/** Returns a signer that makes no signature. With it `buildStep` shows what will be signed. */
export const noSigner = (digest: SignatureHash, keyBits: number): Signer => ({
  hash: digest,
  sign: () => Promise.resolve(new Uint8Array(keyBits / 8)),
});

/** Stands in for a serial number that is not made yet. */
export const STAND_IN_SERIAL = "7F".repeat(16);

/** Returns a public key that nobody can use. It stands in for the key that the step with this name will make. */
export function standInKey(step: string, bits: number): Uint8Array {
  const modulus = Buffer.alloc(bits / 8, hash("sha256", step, "buffer"));
  modulus[0] = 0xff;
  modulus[modulus.length - 1] = 0xff;
  const key = createPublicKey({ key: { kty: "RSA", n: modulus.toString("base64url"), e: "AQAB" }, format: "jwk" });
  return key.export({ type: "spki", format: "der" });
}
