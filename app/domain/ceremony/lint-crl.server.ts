import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { describeCrl, listRevocations } from "~/ca/crl/describe.server";
import { parseCrl } from "~/ca/crl/parse.server";
import { OID } from "~/ca/oids.server";
import { readSignatureAlgorithm } from "~/ca/x509/algorithms.server";
import { DAY } from "~/lib/dates";
import { type Findings } from "./lint-certificate.server";

/** A root's CRL is valid for six months (CAL-03). A longer one delays the news of a revocation. */
const MOST_DAYS = 190;

const EXTENSIONS = [OID.authorityKeyIdentifier, OID.cRLNumber];

/** Returns a sentence for each entry of the previous CRL that this one lacks or changes. */
function lostEntries(entries: ReturnType<typeof listRevocations>, previous: Uint8Array): string[] {
  const kept = new Map(entries.map(({ serial, der }) => [serial, der]));
  return listRevocations(previous).flatMap(({ serial, der }) => {
    const found = kept.get(serial);
    if (!found) return [`The entry of ${serial} in the previous CRL is missing.`];
    return Buffer.compare(found, der) === 0 ? [] : [`The entry of ${serial} differs from that in the previous CRL.`];
  });
}

function orderErrors(der: Uint8Array, previous: Uint8Array): string[] {
  const [now, before] = [describeCrl(der), describeCrl(previous)];
  return [
    ...(now.number <= before.number ? [`The number must be above ${before.number}, that of the previous CRL.`] : []),
    ...(now.thisUpdate < before.thisUpdate ? ["The CRL must not begin before the previous one."] : []),
  ];
}

/**
 * Checks the CRL of a root against RFC 5280 and the profile of the portal's CRLs. Its signature is not looked at.
 *
 * @param der The CRL.
 * @param issuerDer The certificate of the root.
 * @param previous The CRL before it, whose entries must all be there, or null for the first one.
 */
export function lintCrl(der: Uint8Array, issuerDer: Uint8Array, previous: Uint8Array | null): Findings {
  const { list } = parseCrl(der);
  const { thisUpdate, nextUpdate } = describeCrl(der);
  const issuer = readIssuer(issuerDer);
  const { notBefore, notAfter, subject } = parseCertificate(issuerDer);
  const entries = listRevocations(der);
  const serials = entries.map(({ serial }) => serial);
  const twice = new Set(serials.filter((serial, index) => serials.indexOf(serial) < index));
  const wrong = (isWrong: boolean, sentence: string) => (isWrong ? [sentence] : []);
  const found = list.crlExtensions?.extensions ?? [];
  const algorithm = readSignatureAlgorithm(list.signatureAlgorithm).name;
  const errors = [
    ...wrong(!/^sha(256|512)WithRSAEncryption$/.test(algorithm), "The signature must be RSA with SHA-256 or SHA-512."),
    ...wrong(
      Buffer.compare(Buffer.from(list.issuer.valueBeforeDecode), issuer.subjectDer) !== 0,
      "The issuer must be the subject of the root, byte for byte.",
    ),
    ...wrong(
      Buffer.compare(subject.der, parseCertificate(issuerDer).issuer.der) !== 0,
      "The issuer of a CRL must be a root; the portal makes the CRLs of issuing CAs.",
    ),
    ...wrong(
      String(found.map(({ extnID }) => extnID)) !== String(EXTENSIONS),
      "The CRL must have the issuer's key identifier and a number, and no other extension.",
    ),
    ...wrong(
      found.some(({ critical }) => critical),
      "No extension of the CRL may be critical.",
    ),
    ...wrong(thisUpdate < notBefore, "The CRL must not begin before its root."),
    ...wrong(
      nextUpdate > notAfter,
      `The CRL must not end after its root, which ends ${notAfter.toISOString().slice(0, 10)}.`,
    ),
    ...[...twice].map((serial) => `${serial} is revoked twice: an entry stays as it is once it is published.`),
    ...entries
      .filter(({ revocationDate }) => revocationDate > thisUpdate)
      .map(({ serial }) => `${serial} is revoked after the CRL begins.`),
    ...(previous ? [...orderErrors(der, previous), ...lostEntries(entries, previous)] : []),
  ];
  const isLong = nextUpdate.getTime() - thisUpdate.getTime() > MOST_DAYS * DAY;
  return {
    errors,
    notices: wrong(isLong, `The CRL is valid for more than ${MOST_DAYS} days, so clients learn of a revocation late.`),
  };
}
