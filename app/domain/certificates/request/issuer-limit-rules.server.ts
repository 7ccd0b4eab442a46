import { parseCertificate } from "~/ca/certificate/parse.server";
import { type PreparedCertificate } from "~/ca/certificate/prepare.server";
import { certifiedNames, certifiedSubject } from "~/ca/certificate/profile.server";
import { readTbsCertificate } from "~/ca/certificate/tbs.server";
import { keyUsageFor } from "~/ca/certificate/usage.server";
import { type Csr } from "~/ca/csr/read.server";
import { type RequestRefusal } from "~/ca/csr/rules/catalogue";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import {
  type CertifiedNames,
  checkNameLimits,
  checkPurposeLimits,
  isLimited,
  issuerLimits,
} from "~/ca/names/issuer-limits.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { distinguishedName, encodeName, readName, type SubjectFields, toSubjectFields } from "~/ca/x509/name.server";
import { type Authority, findIssuer } from "~/domain/authorities/authorities.service.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { USAGE_FLAGS, type UsageFlag, usageFlags } from "../purchase/fields";
import { explainedBreach, explainRefusals } from "./explained-rules.server";
import { readSubjectNames, type SubjectName } from "./subject-names.server";

/** What a certificate would say that its CA may be limited in. */
interface LimitedContent extends CertifiedNames {
  /** The extended key usages. Null while they are not chosen. */
  purposes: readonly string[] | null;
}

/** Returns why a CA may not issue a certificate. `contentOf` is called only for a CA that is limited. */
function limitRefusals(
  { certificate }: Pick<Authority, "certificate">,
  contentOf: () => LimitedContent,
): RequestRefusal[] {
  const limits = issuerLimits(certificate);
  if (!isLimited(limits)) return [];
  const content = contentOf();
  return [
    ...checkNameLimits(limits, content),
    ...(content.purposes ? checkPurposeLimits(limits, content.purposes) : []),
  ];
}

const limitRules = (...given: Parameters<typeof limitRefusals>): BrokenRule[] =>
  explainRefusals(limitRefusals(...given));

const SUCCESSOR_ADVICE =
  "A renewal or a replacement keeps the names and the usage of its certificate. A renewal for fewer years may keep the CA, too; otherwise order a new certificate.";

/** Returns the rules by which `authority` may not sign a certificate that was prepared for it. */
export const limitRulesOfPrepared = ({ tbs, profile }: PreparedCertificate, authority: Authority): BrokenRule[] =>
  limitRules(authority, () => ({
    subject: readTbsCertificate(tbs, HIERARCHIES[authority.hierarchy].hash).parsed.subject.attributes,
    names: profile.alternateNames,
    purposes: profile.extendedKeyUsage,
  }));

const purposesOf = (usage: readonly UsageFlag[]) => keyUsageFor(usageFlags(usage)).extendedKeyUsage;

/** What is chosen for a new certificate beside its CSR. */
export interface WantedCertificateUse {
  /** The OFTP ID that was typed for a CSR without one. */
  oftpid: string;
  /** The usage attributes. Empty while they are not chosen. */
  usage: readonly UsageFlag[];
}

/** What a certificate is to say, as far as its CA may be limited in it. */
interface WantedContent {
  subject: SubjectFields;
  /** The alternative names that are requested. */
  requestedNames: readonly SubjectName[];
  ssid: string | null;
  /** The usage attributes. Empty while they are not chosen. */
  usage: readonly UsageFlag[];
}

/** Returns the rules by which `authority` may not issue a certificate with this content. */
export const limitRulesOfContent = (
  authority: Authority,
  { subject, requestedNames, ssid, usage }: WantedContent,
): BrokenRule[] =>
  limitRules(authority, () => ({
    subject: readName(distinguishedName(encodeName(certifiedSubject(subject, ssid)))),
    names: certifiedNames(requestedNames as readonly AlternateName[], ssid, subject.commonName?.trim()),
    purposes: usage.length > 0 ? purposesOf(usage) : null,
  }));

/** Returns the rules by which the CA that issues new certificates now may not issue that of an acceptable CSR. */
export async function limitRulesOfNew(
  { subject, subjectAlternateName, ssid: stated }: Csr,
  { oftpid, usage }: WantedCertificateUse,
  now = new Date(),
): Promise<BrokenRule[]> {
  const authority = await findIssuer(getDb(), getConfig().certificates.hierarchy, now);
  const content = { subject, requestedNames: subjectAlternateName, ssid: stated ?? (oftpid || null), usage };
  return authority ? limitRulesOfContent(authority, content) : [];
}

/** Returns the rules by which `authority` may not issue the successor of a certificate, which takes over its subject, names and usage. */
export const limitRulesOfSuccessor = (row: CertificateRow & { der: Uint8Array }, authority: Authority): BrokenRule[] =>
  limitRefusals(authority, () => {
    const subject = parseCertificate(row.der).subject.attributes;
    const requested = readSubjectNames(row.subjectAlternateName) as AlternateName[];
    return {
      subject,
      names: certifiedNames(requested, row.ssid, toSubjectFields(subject).commonName?.trim()),
      purposes: purposesOf(USAGE_FLAGS.filter((flag) => row[flag])),
    };
  }).map(({ code, sentence }) => explainedBreach(code, `${sentence} ${SUCCESSOR_ADVICE}`));
