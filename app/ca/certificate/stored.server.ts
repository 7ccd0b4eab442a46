import { isDeepStrictEqual } from "node:util";
import { checkKey, type KeyPolicy } from "../csr/check-key.server";
import { type Csr } from "../csr/read.server";
import { REQUEST_RULES } from "../csr/rules/catalogue";
import { CaError } from "../errors.server";
import { lintedIssuer } from "../lint/common-lints.server";
import { END_ENTITY_LINTS, LIMIT_LINTS } from "../lint/end-entity-lints.server";
import { type Lint, lintText, runLints } from "../lint/lint.server";
import { PROFILE_LINTS } from "../lint/profile-lints.server";
import { checkAlternativeHost, checkSubjectHosts, type NamePolicy } from "../names/name-policy.server";
import { type AlternateName } from "../x509/general-names.server";
import { keyIdentityOf } from "../x509/public-key.server";
import { isSignedBy } from "./check.server";
import { type CertificateDescription, describeCertificate } from "./describe.server";
import { readIssuer } from "./issuer.server";
import { parseCertificate } from "./parse.server";
import { type CertificateProfile, certifiedNames } from "./profile.server";

/** A certificate as the database has it, with what the database says about it. */
export interface StoredCertificate {
  der: Uint8Array;
  issuerDer: Uint8Array;
  serialNumber: string | null;
  thumbprint: string | null;
  thumbprintSha256: string | null;
  startDate: string | null;
  expiryDate: string | null;
  keyIdentity: string;
  publicKeySha256: string;
  commonName: string;
  organisation: string;
  country: string;
  ssid: string | null;
  /** The requested names, or null when the row has none that can be read. */
  requestedNames: readonly AlternateName[] | null;
  /** What was recorded before the certificate was signed. Null for a row without it. */
  tbs: Uint8Array | null;
  profile: CertificateProfile | null;
  /** The columns whose contents the portal cannot have written. */
  unreadableColumns: readonly string[];
}

type StoredKey = Pick<Csr, "publicKey" | "spkiDer" | "spkiSha256" | "keyIdentity">;

/** What is wrong with a stored certificate. */
export interface StoredVerdict {
  problems: {
    rule:
      | "unreadable"
      | "signature"
      | "another-certificate"
      | "row-differs"
      | "profile-differs"
      | "lint"
      | "key"
      | "names";
    cause: string;
  }[];
  /** The serial number in the certificate. Null when it cannot be read. */
  serialNumber: string | null;
  /** The key in the certificate, for what the database knows about keys. Null when that is of no interest. */
  key: StoredKey | null;
}

/** Returns the names of the columns that differ from the certificate. */
function differentColumns(stored: StoredCertificate, actual: CertificateDescription, key: StoredKey): string[] {
  const { subject } = actual;
  const same = (one: string | null, other: string | undefined) => (one ?? "").trim() === (other ?? "").trim();
  const { requestedNames, ssid, commonName } = stored;
  // With the certificate's own common name, so that a changed column is named once.
  const names = requestedNames && certifiedNames(requestedNames, ssid, (subject.commonName ?? commonName).trim());
  const columns: [string, boolean][] = [
    ["start date", stored.startDate === actual.startDate],
    ["expiry date", stored.expiryDate === actual.endDate],
    ["thumbprint", stored.thumbprint === actual.thumbprint],
    ["thumbprint (SHA-256)", stored.thumbprintSha256 === actual.thumbprintSha256],
    ["key identity", stored.keyIdentity === key.keyIdentity],
    ["fingerprint of the public key", stored.publicKeySha256 === key.spkiSha256],
    ["common name", same(commonName, subject.commonName)],
    ["organisation", same(stored.organisation, subject.organisation)],
    ["country", same(stored.country, subject.country)],
    ["alternative names", names === null || isDeepStrictEqual(names, actual.subjectAlternateName)],
  ];
  return [...columns.filter(([, isSame]) => !isSame).map(([name]) => name), ...stored.unreadableColumns];
}

const textsOf = <Subject>(lints: readonly Lint<Subject>[], subject: Subject): string[] =>
  runLints(lints, subject)
    .filter(({ severity }) => severity === "error")
    // The sentences about the limits of a CA repeat names, which can be of people.
    .map((found) =>
      LIMIT_LINTS.includes(found.lint)
        ? lintText({ ...found, text: "It is outside the limits of its CA." })
        : lintText(found),
    );

/** Returns a sentence with the rules that refuse names of the certificate today. It does not repeat the names, which can be of people. */
function refusedNames({ subject, subjectAlternateName }: CertificateDescription, policy: NamePolicy): string[] {
  const refusals = [
    ...checkSubjectHosts(subject, policy),
    ...subjectAlternateName.flatMap((name) => checkAlternativeHost(name, policy)),
  ];
  const titles = new Set(refusals.map(({ code }) => REQUEST_RULES[code].title));
  return titles.size > 0 ? [`Rules for names that it breaks: ${[...titles].join(", ")}.`] : [];
}

const only = (rule: StoredVerdict["problems"][number]["rule"], cause: string, serialNumber: string | null) => ({
  problems: [{ rule, cause }],
  serialNumber,
  key: null,
});

/** Today's rules for keys and names. */
export type AuditPolicy = KeyPolicy & NamePolicy;

function audit(stored: StoredCertificate, policy: AuditPolicy): StoredVerdict {
  const certificate = parseCertificate(stored.der);
  const description = describeCertificate(stored.der, certificate);
  const { serialNumber } = description;
  if (!isSignedBy(certificate, readIssuer(stored.issuerDer)))
    return only(
      "signature",
      "The certificate in the database is not signed with the key of its CA, so it was changed after it was issued.",
      serialNumber,
    );
  if (stored.serialNumber !== serialNumber)
    return only(
      "another-certificate",
      `The database has the serial number ${stored.serialNumber ?? "(none)"}, the certificate has ${serialNumber}.`,
      serialNumber,
    );
  const { spkiSha256 } = description;
  const key = { ...certificate.key, spkiSha256, keyIdentity: keyIdentityOf(certificate.key) };
  const linted = { certificate, description, issuer: lintedIssuer(stored.issuerDer) };
  const columns = differentColumns(stored, description, key);
  const intended = stored.profile && { ...linted, tbs: stored.tbs ?? certificate.tbs, profile: stored.profile };
  const causes = [
    ["row-differs", columns.length > 0 ? [`The database and the certificate differ in: ${columns.join(", ")}.`] : []],
    ["profile-differs", intended ? textsOf(PROFILE_LINTS, intended) : []],
    ["lint", textsOf(END_ENTITY_LINTS, linted)],
    ["key", checkKey(certificate.key.publicKey, policy).map(({ message }) => message)],
    ["names", refusedNames(description, policy)],
  ] as const;
  const problems = causes.flatMap(([rule, texts]) => (texts.length > 0 ? [{ rule, cause: texts.join(" ") }] : []));
  return { problems, serialNumber, key };
}

/**
 * Audits a certificate as the database has it: it can be read, its CA's key signed it, the database says the same as the certificate, it is
 * what was recorded before it was signed, and neither today's lints nor today's rules for keys and names find an error. Never throws for what the
 * database contains.
 */
export function auditStored(stored: StoredCertificate, policy: AuditPolicy): StoredVerdict {
  try {
    return audit(stored, policy);
  } catch (error) {
    // Whatever somebody has written into one row must not end the audit of all others.
    const why = error instanceof CaError ? error.message : "Its record has a form that the portal does not write.";
    return only("unreadable", `The certificate in the database cannot be read. ${why}`, null);
  }
}
