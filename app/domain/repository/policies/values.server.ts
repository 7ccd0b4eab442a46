import { CLOCK_SKEW_MS } from "~/ca/certificate/prepare.server";
import { keyUsageFor } from "~/ca/certificate/usage.server";
import { CURVES, RSA_BITS } from "~/ca/csr/check-key.server";
import { SMALL_FACTOR_LIMIT } from "~/ca/csr/small-factors.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { ITERATIONS } from "~/ca/keys.server";
import { lockMinutes, MAX_FAILURES } from "~/domain/accounts/accounts.policy";
import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { CODE_MINUTES } from "~/domain/accounts/recovery/recovery.service.server";
import { AUTHORITIES, issuerOf } from "~/domain/authorities/catalogue";
import { ENDED_CRLS_KEPT_MS, crlLife, ROOT_CRL_WARNING_MS } from "~/domain/authorities/crl-life";
import { authorityUrls, repositoryUrl } from "~/domain/authorities/urls.server";
import { CONTACT_DAYS, REMINDER_DAYS } from "~/domain/certificates/catalogue/reminder.policy";
import { USAGE_FLAGS, VALIDITY_YEARS } from "~/domain/certificates/purchase/fields";
import { AUTHORISATION_DAYS } from "~/domain/certificates/queue/authorisation.service.server";
import { REVOCATION_REASONS } from "~/domain/certificates/revocation/reasons";
import { ANSWER_LIFE_MS, ANSWER_RENEWED_AFTER_MS } from "~/domain/ocsp/answer-life";
import { KEY_BITS, RENEWAL_DAYS, RESPONDER_LIFE_DAYS } from "~/domain/ocsp/responders.service.server";
import { getConfig, type PortalConfig } from "~/lib/config.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { fourEyes } from "~/lib/four-eyes.server";
import { paths } from "~/lib/paths";
import { POLICIES } from "./catalogue";
import { FOUR_EYES_WORDS } from "./four-eyes-words";

type Values = Record<string, string>;

const count = (value: number) => value.toLocaleString("en-GB");
const HOUR = DAY / 24;
const MINUTE = HOUR / 60;

/** Formats an ISO date as documents show it, for example 21 November 2026. */
export const longDate = (day: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

const addresses = (config: PortalConfig): Values => ({
  portalUrl: getEnv().publicUrl,
  repositoryUrl: getEnv().publicUrl + paths.publicRepository,
  prepareCsrUrl: getEnv().publicUrl + paths.prepareCsr(),
  privacyUrl: new URL(config.privacyPolicyLink, getEnv().publicUrl).href,
  ocspUrl: authorityUrls(issuerOf(config.certificates.hierarchy)).ocsp,
  cpsUri: authorityUrls(issuerOf(config.certificates.hierarchy)).cps,
  ...Object.fromEntries(
    ["cpUrl", "cpsUrl", "agreementUrl"].map((name, index) => [name, repositoryUrl(POLICIES[index]?.file ?? "")]),
  ),
});

const operator = ({ legal, policies }: PortalConfig): Values => ({
  operator: legal.company,
  operatorAddress: legal.address,
  operatorRegistration: legal.registration.join(", "),
  operatorPhone: legal.phone,
  policyEmail: policies.email,
  governingLaw: policies.governingLaw,
  version: policies.version,
  date: longDate(policies.date),
});

function hierarchies(): Values {
  const values: Values = {};
  for (const { name, caption } of AUTHORITIES) values[`ca.${name}`] = caption;
  for (const [name, { hash, keyBits, rootYears, issuingYears }] of Object.entries(HIERARCHIES)) {
    values[`${name}.keyBits`] = String(keyBits);
    values[`${name}.signature`] = `${hash.replace("sha", "SHA-")} with RSA`;
    values[`${name}.rootYears`] = count(rootYears);
    values[`${name}.issuingYears`] = count(issuingYears);
  }
  return values;
}

function usages(): Values {
  const none = { hasSecureSession: false, hasEmail: false, hasEncryption: false, hasFileSigning: false };
  const values: Values = {};
  for (const flag of USAGE_FLAGS) {
    const { keyUsage, extendedKeyUsage } = keyUsageFor({ ...none, [flag]: true });
    values[`usage.${flag}.keyUsage`] = keyUsage.join(", ");
    values[`usage.${flag}.extendedKeyUsage`] = extendedKeyUsage.join(", ") || "none";
  }
  return values;
}

function lists(): Values {
  const [base, delta] = [crlLife({ isRoot: false }, false), crlLife({ isRoot: false }, true)];
  return {
    baseLifeDays: count(base.lifetimeMs / DAY),
    baseRenewHours: count((base.renewAfterMs ?? 0) / HOUR),
    deltaLifeHours: count(delta.lifetimeMs / HOUR),
    deltaRenewMinutes: count((delta.renewAfterMs ?? 0) / MINUTE),
    rootLifeDays: count(crlLife({ isRoot: true }, false).lifetimeMs / DAY),
    rootWarningDays: count(ROOT_CRL_WARNING_MS / DAY),
    endedListsDays: count(ENDED_CRLS_KEPT_MS / DAY),
  };
}

const ocsp = (): Values => ({
  answerHours: count(ANSWER_LIFE_MS / HOUR),
  answerRenewMinutes: count(ANSWER_RENEWED_AFTER_MS / MINUTE),
  responderKeyBits: String(KEY_BITS),
  responderDays: count(RESPONDER_LIFE_DAYS),
  responderRenewDays: count(RENEWAL_DAYS),
});

const reminders = (): Values => ({
  reminderDays: new Intl.ListFormat("en-GB").format(REMINDER_DAYS.map(count)),
  contactReminderDays: count(CONTACT_DAYS),
});

function keyRules({ certificates }: PortalConfig): string {
  const rules = {
    RSA: `RSA keys of ${RSA_BITS.min} to ${RSA_BITS.max} bits`,
    EC: `EC keys on the curves ${CURVES.join(" and ")}`,
  };
  return certificates.keyAlgorithms.map((algorithm) => rules[algorithm]).join(" or ");
}

const passwordAge = (days: number) => (days === 0 ? "do not expire" : `expire after ${count(days)} days`);

const factorGrace = (days: number) =>
  days === 0 ? "" : `, at the latest ${count(days)} days after their first login,`;

/** Returns everything that the documents take from the configuration and the code, by its name in the Markdown. */
export function policyValues(config = getConfig()): Values {
  const { certificates, accounts, privacy } = config;
  return {
    ...addresses(config),
    ...operator(config),
    ...hierarchies(),
    ...usages(),
    ...lists(),
    ...ocsp(),
    ...reminders(),
    ...FOUR_EYES_WORDS[fourEyes(config)],
    policyOid: certificates.policyOid,
    currentIssuer: AUTHORITIES.find(({ name }) => name === issuerOf(certificates.hierarchy))?.caption ?? "",
    keyRules: keyRules(config),
    smallFactorLimit: count(SMALL_FACTOR_LIMIT),
    validityMin: count(Math.min(...VALIDITY_YEARS)),
    validityMax: count(Math.max(...VALIDITY_YEARS)),
    renewalsFrom: count(certificates.renewalsFromDays),
    renewalsUntil: count(certificates.renewalsUntilDays),
    clockSkewMinutes: count(CLOCK_SKEW_MS / MINUTE),
    kdfIterations: count(ITERATIONS),
    linkDays: count(AUTHORISATION_DAYS),
    codeMinutes: count(CODE_MINUTES),
    maxFailures: count(MAX_FAILURES),
    lockMinutes: count(lockMinutes(1)),
    passwordMin: count(accounts.passwordMinLength),
    passwordAge: passwordAge(accounts.passwordMaxAgeDays),
    factorGrace: factorGrace(accounts.factorGraceDays),
    invoiceYears: count(privacy.invoiceYears),
    evidenceYears: count(privacy.evidenceYears),
    factorMinutes: count(PROOF_MINUTES),
    revocationReasons: REVOCATION_REASONS.map(({ description }) => description).join(", "),
  };
}
