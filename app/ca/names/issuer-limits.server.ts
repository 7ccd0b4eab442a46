import { readExtensionValues } from "../certificate/extension-values.server";
import { type ParsedCertificate, parseCertificate } from "../certificate/parse.server";
import { brokenRule } from "../csr/refusal.server";
import { type RequestRefusal } from "../csr/rules/catalogue";
import { memoizeByBytes } from "../memoize-by-bytes.server";
import { OID } from "../oids.server";
import { type AlternateName, ssidUri } from "../x509/general-names.server";
import { CONSTRAINED_KINDS, type NameConstraints, readNameConstraints } from "../x509/name-constraints.server";
import { formatName, type NameAttribute } from "../x509/name.server";
import { type ConstrainedName, isInTree, treeText } from "./name-trees.server";

/** What the certificate of a CA lets it certify. */
export interface IssuerLimits {
  /** Null when the CA may certify all names. */
  names: NameConstraints | null;
  /** The extended key usages that it may certify. Empty when it may certify all of them. */
  purposes: readonly string[];
}

/** Reads the limits of a CA from its parsed certificate. Throws a CaError `malformed`. */
export function limitsOf({ extensions }: ParsedCertificate): IssuerLimits {
  const found = extensions.find(({ oid }) => oid === OID.nameConstraints);
  return {
    names: found ? readNameConstraints(found.value) : null,
    purposes: readExtensionValues(extensions).enhancedKeyUsage,
  };
}

/** Reads the limits of a CA from its DER certificate. Results are cached. Throws a CaError `malformed`. */
export const issuerLimits: (certificateDer: Uint8Array) => IssuerLimits = memoizeByBytes(32, (der) =>
  limitsOf(parseCertificate(der)),
);

/** Returns whether a CA is limited in anything. */
export const isLimited = ({ names, purposes }: IssuerLimits): boolean => names !== null || purposes.length > 0;

/** The names that a certificate has. */
export interface CertifiedNames {
  subject: readonly NameAttribute[];
  names: readonly AlternateName[];
}

/** What names of each kind are called. */
const KINDS: Readonly<Record<ConstrainedName["kind"], string>> = {
  dns: "DNS names",
  email: "email addresses",
  uri: "URIs",
  ip: "IP addresses",
  directory: "subjects",
};

/**
 * Matches a common name that OpenSSL takes for a host: two or more labels of letters, digits, underscores and hyphens, with no hyphen at the
 * end of a label. An IPv4 address matches, too.
 */
const COMMON_NAME_HOST = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)+$/i;

interface LabelledName extends ConstrainedName {
  label: string;
}

/** Returns the names of a subject that are subject to name constraints. */
function namesOfSubject({ subject, names }: CertifiedNames): LabelledName[] {
  const found: LabelledName[] = [
    { kind: "directory", label: "Subject: the name", value: formatName(subject), attributes: subject },
  ];
  const hasDnsName = names.some(({ type }) => type === "dns");
  for (const { oid, value } of subject) {
    if (oid === OID.emailAddress) found.push({ kind: "email", label: "Subject: the email address", value });
    // RFC 5280 does not constrain common names, but clients without a better name look at them (RFC 9525 §6.3), and OpenSSL checks them.
    if (oid === OID.commonName && !hasDnsName && COMMON_NAME_HOST.test(value))
      found.push({ kind: "dns", label: "Subject: the common name", value });
  }
  return found;
}

/** Returns an alternative name as one that is subject to name constraints. Other kinds of names are never certified. */
function constrainedName({ type, value }: AlternateName): LabelledName[] {
  const place = "Alternative names: the";
  switch (type) {
    case "dns":
      return [{ kind: "dns", label: `${place} DNS name`, value }];
    case "ip":
      return [{ kind: "ip", label: `${place} IP address`, value }];
    case "rfc822":
      return [{ kind: "email", label: `${place} email address`, value }];
    case "uri":
      return [{ kind: "uri", label: `${place} URI`, value }];
    case "ssid":
      return [{ kind: "uri", label: `${place} URI of the OFTP ID`, value: ssidUri(value) }];
    default:
      return [];
  }
}

const MOST_SHOWN = 5;

/** Returns the first texts, and how many others there are. */
const listed = (texts: readonly string[]): string =>
  texts.length > MOST_SHOWN
    ? `${texts.slice(0, MOST_SHOWN).join(", ")} and ${texts.length - MOST_SHOWN} others`
    : texts.join(", ");

/** Returns a sentence when the constraints do not let the CA certify the name. */
function whyOutside({ label, ...name }: LabelledName, { permitted, excluded }: NameConstraints): string[] {
  const shown = `${label} '${name.value}'`;
  const trees = permitted.filter(({ kind }) => kind === name.kind);
  const without = excluded.find((tree) => isInTree(name, tree, "excluded"));
  if (without) return [`${shown} is excluded from the names that the issuing CA may certify, by ${treeText(without)}.`];
  return trees.length === 0 || trees.some((tree) => isInTree(name, tree, "permitted"))
    ? []
    : [
        `${shown} is not among the ${KINDS[name.kind]} that the issuing CA may certify: ${listed(trees.map(treeText))}.`,
      ];
}

/** Returns a refusal for each name of a certificate that its issuing CA may not certify (RFC 5280 §4.2.1.10 and §7). */
export function checkNameLimits({ names: limits }: IssuerLimits, certified: CertifiedNames): RequestRefusal[] {
  if (limits === null) return [];
  const all = [...namesOfSubject(certified), ...certified.names.flatMap(constrainedName)];
  return all.flatMap((name) => whyOutside(name, limits)).map((sentence) => brokenRule("issuer-names", sentence));
}

/** What the extended key usages are for. */
const PURPOSES: Readonly<Record<string, string>> = {
  serverAuth: "TLS servers (serverAuth)",
  clientAuth: "TLS clients (clientAuth)",
  emailProtection: "email (emailProtection)",
};
const purposeText = (purpose: string) => PURPOSES[purpose] ?? purpose;

/**
 * Returns a refusal when the issuing CA may not certify an extended key usage. A certificate without one is good for any purpose, so only a
 * CA without such a limit may issue it.
 */
export function checkPurposeLimits({ purposes: allowed }: IssuerLimits, purposes: readonly string[]): RequestRefusal[] {
  if (allowed.length === 0) return [];
  const only = `only for ${allowed.map(purposeText).join(", ")}`;
  if (purposes.length === 0)
    return [
      brokenRule(
        "issuer-usage",
        `Certificate usage: without an extended key usage, the certificate would be good for every purpose, and the issuing CA may issue certificates ${only}.`,
      ),
    ];
  const others = purposes.filter((purpose) => !allowed.includes(purpose)).map(purposeText);
  return others.length === 0
    ? []
    : [
        brokenRule(
          "issuer-usage",
          `Certificate usage: the issuing CA may issue certificates ${only}, not for ${others.join(", ")}.`,
        ),
      ];
}

/** Returns what a CA may certify as texts for people, one for each kind of name and one for the purposes. Empty when it is not limited. */
export function limitTexts({ names, purposes }: IssuerLimits): string[] {
  const textsOf = (trees: NameConstraints["permitted"], begin: (kind: string) => string) =>
    [...CONSTRAINED_KINDS, "other" as const].flatMap((kind) => {
      const texts = trees.filter((tree) => tree.kind === kind).map(treeText);
      return texts.length > 0 ? [`${begin(kind === "other" ? "other names" : KINDS[kind])}: ${texts.join(", ")}`] : [];
    });
  return [
    ...textsOf(names?.permitted ?? [], (kind) => `Only these ${kind}`),
    ...textsOf(names?.excluded ?? [], (kind) => `None of these ${kind}`),
    ...(purposes.length > 0 ? [`Only for ${purposes.map(purposeText).join(", ")}`] : []),
  ];
}
