import { type Extension } from "pkijs";
import { CaError } from "../errors.server";
import { type RandomSource } from "../keys.server";
import { type SignatureHash } from "../signer.server";
import { sha256Hex } from "../thumbprint.server";
import { addresses } from "../x509/address-extensions.server";
import * as extension from "../x509/extensions.server";
import { type AlternateName } from "../x509/general-names.server";
import { encodeName, type SubjectFields } from "../x509/name.server";
import { keyIdentifierOf, readPublicKey } from "../x509/public-key.server";
import { wholeSeconds } from "../x509/time.server";
import { encodeTbsCertificate, newSerial } from "./encode.server";
import { type Issuer } from "./issuer.server";
import {
  type CertificatePolicy,
  type CertificateProfile,
  type CertificateUrls,
  certifiedNames,
  certifiedSubject,
  definedUrls,
} from "./profile.server";
import { keyUsageFor, type UsageFlags } from "./usage.server";

export interface CertificateRequest {
  issuer: Issuer;
  /** The hash that the issuer's signer uses. */
  hash: SignatureHash;
  subject: SubjectFields;
  /**
   * DER of the subject, given when it must equal that of an earlier certificate byte for byte. It must encode the same values as `subject`.
   */
  subjectDer?: Uint8Array;
  ssid: string | null;
  /** The alternative names in the CSR. Only DNS, IP, rfc822 and URI names are copied. */
  requestedNames: readonly AlternateName[];
  spkiDer: Uint8Array;
  usage: UsageFlags;
  policy: CertificatePolicy;
  urls: CertificateUrls;
  /** The desired end. The certificate never ends after its issuer. */
  notAfter: Date;
  now: Date;
  random: RandomSource;
}

/**
 * What must be recorded before signing. After a crash the same TBS certificate is signed again, so that there is never a second
 * certificate.
 */
export interface PreparedCertificate {
  /** Upper-case hex. */
  serial: string;
  tbs: Uint8Array;
  profile: CertificateProfile;
}

/** How long before the current time a certificate starts, in milliseconds. */
export const CLOCK_SKEW_MS = 5 * 60 * 1000;

/**
 * Returns the TBS certificate of an end entity with the profile of CAL-02 (RFC 5280 §4). Signs nothing. Throws a CaError `invalid-argument`
 * when no usage is chosen, the key is neither RSA nor EC, or the certificate would already have ended. Throws a RangeError on text that
 * cannot be encoded, which `checkCsr` refuses earlier.
 */
export function prepareCertificate(request: CertificateRequest): PreparedCertificate {
  const { issuer, hash, ssid, spkiDer, policy } = request;
  const profile: CertificateProfile = {
    serial: newSerial(request.random),
    signatureAlgorithm: `${hash}WithRSAEncryption`,
    ...validity(request),
    subject: certifiedSubject(request.subject, ssid),
    alternateNames: certifiedNames(request.requestedNames, ssid, request.subject.commonName?.trim()),
    ...usages(request),
    spkiSha256: sha256Hex(spkiDer),
    issuerKeyIdentifier: Buffer.from(issuer.keyIdentifier).toString("hex"),
    policy: policy.cpsUri ? { oid: policy.oid, cpsUri: policy.cpsUri } : { oid: policy.oid },
    urls: definedUrls(request.urls),
  };
  const subjectDer = request.subjectDer ?? encodeName(profile.subject);
  return { serial: profile.serial, tbs: encodeProfile(profile, { issuer, hash, subjectDer, spkiDer }), profile };
}

/**
 * Returns the TBS certificate of an end entity with this profile. It is the only encoding that this CA signs, so that a TBS certificate is
 * known to have nothing but its profile when the profile gives the same bytes. Throws a RangeError on text that cannot be encoded.
 */
export function encodeProfile(
  profile: CertificateProfile,
  {
    issuer,
    hash,
    subjectDer,
    spkiDer,
  }: Pick<CertificateRequest, "issuer" | "hash" | "spkiDer"> & { subjectDer: Uint8Array },
): Uint8Array {
  return encodeTbsCertificate({
    serial: profile.serial,
    hash,
    issuerDer: issuer.subjectDer,
    notBefore: new Date(profile.notBefore),
    notAfter: new Date(profile.notAfter),
    subjectDer,
    spkiDer,
    extensions: endEntityExtensions(profile, keyIdentifierOf(spkiDer), issuer.keyIdentifier),
  });
}

function validity({ issuer, now, notAfter }: CertificateRequest): { notBefore: string; notAfter: string } {
  const start = wholeSeconds(new Date(now.getTime() - CLOCK_SKEW_MS));
  const end = wholeSeconds(new Date(Math.min(notAfter.getTime(), issuer.notAfter.getTime())));
  if (end <= now) throw new CaError("invalid-argument", "The certificate would already have ended.");
  return { notBefore: start.toISOString(), notAfter: end.toISOString() };
}

function usages({ usage, spkiDer }: CertificateRequest) {
  const { publicKey } = readPublicKey(spkiDer);
  if (publicKey.algorithm === "other") throw new CaError("invalid-argument", "The key must be an RSA or EC key.");
  const chosen = keyUsageFor(usage, publicKey.algorithm);
  if (chosen.keyUsage.length === 0) throw new CaError("invalid-argument", "No certificate usage is chosen.");
  return chosen;
}

/** Returns the extensions of RFC 5280 §4.2. Most are equal in all certificates of a CA and are made only once. */
function endEntityExtensions(profile: CertificateProfile, subjectKey: Uint8Array, issuerKey: Uint8Array): Extension[] {
  const { keyUsage, extendedKeyUsage, alternateNames, policy, urls } = profile;
  return [
    ...shared([keyUsage, extendedKeyUsage], () => [
      extension.basicConstraints(false),
      extension.keyUsage(keyUsage),
      ...(extendedKeyUsage.length > 0 ? [extension.extKeyUsage(extendedKeyUsage)] : []),
    ]),
    ...(alternateNames.length > 0 ? [extension.subjectAltName(alternateNames)] : []),
    extension.subjectKeyIdentifier(subjectKey),
    ...shared([Buffer.from(issuerKey).toString("hex"), policy, urls], () => [
      extension.authorityKeyIdentifier(issuerKey),
      extension.certificatePolicies(policy.oid, policy.cpsUri),
      ...addresses(urls),
    ]),
  ];
}

const made = new Map<string, readonly Extension[]>();
const MOST_MADE = 100;

/** Returns the cached extensions for these values, or makes and caches them. A full cache is emptied before new ones are added. */
function shared(values: unknown, make: () => readonly Extension[]): readonly Extension[] {
  const key = JSON.stringify(values);
  const known = made.get(key);
  if (known) return known;
  const extensions = make();
  if (made.size >= MOST_MADE) made.clear();
  made.set(key, extensions);
  return extensions;
}
