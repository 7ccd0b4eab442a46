import cronstrue from "cronstrue";
import { CLOCK_SKEW_MS } from "~/ca/certificate/prepare.server";
import { keyUsageFor } from "~/ca/certificate/usage.server";
import { SOUND_HASHES } from "~/ca/csr/check.server";
import { CURVES, RSA_BITS } from "~/ca/csr/rules/keys";
import { SMALL_FACTOR_LIMIT } from "~/ca/csr/small-factors.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { ITERATIONS } from "~/ca/keys.server";
import { lockMinutes, MAX_FAILURES } from "~/domain/accounts/accounts.policy";
import { DUAL_CONTROL_DAYS } from "~/domain/accounts/administration/dual-control.policy";
import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { CODE_MINUTES } from "~/domain/accounts/recovery/recovery.service.server";
import { STAFF_RIGHT_NAMES, type Task, TASKS } from "~/domain/accounts/rights.policy";
import { SESSION_IDLE, SESSION_LIFE } from "~/domain/accounts/sessions/sessions.policy";
import { FIRST_AUTHORITIES, rootOf } from "~/domain/authorities/catalogue";
import { ENDED_CRLS_KEPT_MS, crlLife, ROOT_CRL_WARNING_MS } from "~/domain/authorities/crl-life";
import { authorityUrls, repositoryUrl } from "~/domain/authorities/urls.server";
import { CONTACT_DAYS, REMINDER_DAYS } from "~/domain/certificates/catalogue/reminder.policy";
import { USAGE_FLAGS, VALIDITY_YEARS } from "~/domain/certificates/purchase/fields";
import { AUTHORISATION_DAYS } from "~/domain/certificates/queue/authorisation.service.server";
import { CHECK_TITLES } from "~/domain/certificates/queue/checks.policy";
import { CHALLENGE_LIFE_DAYS } from "~/domain/certificates/revocation/key-proof/challenge.server";
import { REVOCATION_REASONS } from "~/domain/certificates/revocation/reasons";
import { IDENTITY_MONTHS } from "~/domain/certificates/standing/standing";
import { CORRECTIONS_PER_CERTIFICATE, SUPERSEDED_AFTER_DAYS } from "~/domain/certificates/succession/correction.policy";
import { MAX_TOTAL_YEARS } from "~/domain/certificates/succession/renewal.policy";
import { CHALLENGE_DAYS, CONFIRMED_YEARS, DOMAIN_MAILBOXES, FAILED_NIGHTS } from "~/domain/companies/domains/challenge";
import { roleNamesFor } from "~/domain/companies/roles.policy";
import { DRAFT_LIFE_MS } from "~/domain/drafts/drafts.service.server";
import { JOBS } from "~/domain/jobs/catalogue.server";
import { ANSWER_LIFE_MS, ANSWER_RENEWED_AFTER_MS } from "~/domain/ocsp/answer-life";
import { KEY_BITS, RENEWAL_DAYS, RESPONDER_LIFE_DAYS } from "~/domain/ocsp/responders.service.server";
import { CORRECTION_DAYS, CORRECTIONS_PER_ORDER } from "~/domain/orders/corrections/corrections.policy";
import { allowedNames } from "~/lib/allowed-names.server";
import { getConfig, type PortalConfig } from "~/lib/config.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { NAME_CLASS_NAMES, NAME_CLASSES, type NameClass } from "~/lib/name-classes";
import { paths } from "~/lib/paths";
import { POLICIES } from "./catalogue";

type Values = Record<string, string>;

const HOUR = DAY / 24;
const MINUTE = HOUR / 60;

const count = (value: number) => value.toLocaleString("en-GB");

/** Formats a number with its unit: `1 day`, `30 days`. */
const amount = (value: number, unit: string): string => `${count(value)} ${unit}${value === 1 ? "" : "s"}`;

const days = (value: number): string => amount(value, "day");

const rsaKey = (bits: number): string => `RSA, ${amount(bits, "bit").replace(",", "")}`;

/** Formats `sha256` as `SHA-256`. */
const hashName = (hash: string): string => hash.replace("sha", "SHA-");

const alternatives = (names: readonly string[]): string =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(names);

/** Formats an ISO date as documents show it, for example 21 November 2026. */
export const longDate = (day: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

/** Returns the values that say who and where. A sentence needs another source beside them. */
export const policyNames = (config = getConfig()): Values => ({
  ...addresses(config),
  ...operator(config),
  ...Object.fromEntries(FIRST_AUTHORITIES.map(({ name, caption }) => [`ca.${name}`, caption])),
});

const addresses = (config: PortalConfig): Values => ({
  portalUrl: getEnv().publicUrl,
  repositoryUrl: getEnv().publicUrl + paths.publicRepository,
  prepareCsrUrl: getEnv().publicUrl + paths.prepareCsr(),
  privacyUrl: new URL(config.privacyPolicyLink, getEnv().publicUrl).href,
  ocspUrl: authorityUrls(rootOf(config.certificates.hierarchy)).ocsp,
  cpsUri: authorityUrls(rootOf(config.certificates.hierarchy)).cps,
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
  for (const [name, { hash, keyBits, rootYears, issuingYears }] of Object.entries(HIERARCHIES)) {
    values[`${name}.key`] = rsaKey(keyBits);
    values[`${name}.signature`] = `${hashName(hash)} with RSA`;
    values[`${name}.rootLife`] = amount(rootYears, "year");
    values[`${name}.issuingLife`] = amount(issuingYears, "year");
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
    baseLife: days(base.lifetimeMs / DAY),
    baseRenewal: amount((base.renewAfterMs ?? 0) / HOUR, "hour"),
    deltaLife: amount(delta.lifetimeMs / HOUR, "hour"),
    deltaRenewal: amount((delta.renewAfterMs ?? 0) / MINUTE, "minute"),
    rootListLife: days(crlLife({ isRoot: true }, false).lifetimeMs / DAY),
    rootListWarning: days(ROOT_CRL_WARNING_MS / DAY),
    keyChallengeLife: days(CHALLENGE_LIFE_DAYS),
    endedListsKept: days(ENDED_CRLS_KEPT_MS / DAY),
  };
}

const ocsp = (): Values => ({
  answerLife: amount(ANSWER_LIFE_MS / HOUR, "hour"),
  answerRenewal: amount(ANSWER_RENEWED_AFTER_MS / MINUTE, "minute"),
  responderKey: rsaKey(KEY_BITS),
  responderLife: days(RESPONDER_LIFE_DAYS),
  responderRenewal: days(RENEWAL_DAYS),
});

/** Returns how often a cron pattern with seconds runs, in words: `every 5 minutes`, `every day at 03:30 UTC`. */
function frequency(schedule: string): string {
  const text = cronstrue.toString(schedule.replace(/^\S+ /, ""), { use24HourTimeFormat: true });
  return text.startsWith("At ") ? `every day at ${text.slice("At ".length)} UTC` : text.replace("Every", "every");
}

/** Returns when each job runs, in words. The `audit` job, for example, gives `schedule.audit`. */
const schedules = (): Values =>
  Object.fromEntries(
    ["domains", "keys-check", "certificates-audit", "audit-whole", "audit", "crl-base", "clean-up", "retention"].map(
      (name) => {
        const job = JOBS.find((candidate) => candidate.name === name);
        if (!job) throw new Error(`There is no job '${name}'.`);
        return [`schedule.${name}`, frequency(job.schedule)];
      },
    ),
  );

function keyRules({ certificates }: PortalConfig): string {
  const rules = {
    RSA: `RSA keys of ${RSA_BITS.min} to ${amount(RSA_BITS.max, "bit").replace(",", "")}`,
    EC: `EC keys on the curves ${CURVES.join(" and ")}`,
  };
  return certificates.keyAlgorithms.map((algorithm) => rules[algorithm]).join(" or ");
}

const described = (names: readonly NameClass[]): string => names.map((name) => NAME_CLASSES[name]).join("; ");

/** Returns which classes of names are refused and which are allowed. */
function nameClasses(): Values {
  const allowed = allowedNames();
  return {
    refusedNames: described(NAME_CLASS_NAMES.filter((name) => !allowed.includes(name))) || "none",
    allowedNames: described(allowed) || "none",
  };
}

const accountFigures = ({ accounts }: PortalConfig): Values => ({
  passwordMin: amount(accounts.passwordMinLength, "character"),
  passwordLife: days(accounts.passwordMaxAgeDays),
  maxFailures: count(MAX_FAILURES),
  lockTime: amount(lockMinutes(1), "minute"),
  codeLife: amount(CODE_MINUTES, "minute"),
  sessionIdle: amount(SESSION_IDLE / HOUR, "hour"),
  sessionLife: amount(SESSION_LIFE / HOUR, "hour"),
  factorGrace: days(accounts.factorGraceDays),
  proofLife: amount(PROOF_MINUTES, "minute"),
  requestLife: days(DUAL_CONTROL_DAYS),
});

/** Returns the names of the rights that allow a task of staff: `Registration officer or Approver`. */
const rights = (task: Task): string => alternatives(TASKS[task].rights.map((right) => STAFF_RIGHT_NAMES[right]));

/** Who may do what, by the names of rights and roles. */
const whoMay = (): Values => ({
  "may.order": roleNamesFor("place-orders"),
  "may.revoke": roleNamesFor("revoke-own-certificates"),
  "may.check": rights("check-orders"),
  "may.approve": rights("approve-orders"),
  "may.reissue": rights("reissue-certificates"),
  "correction.days": days(CORRECTION_DAYS),
  "correction.times": amount(CORRECTIONS_PER_ORDER, "time"),
  "may.revokeForOthers": rights("revoke-certificates"),
  "may.manageUsers": rights("change-users"),
  "may.seeTrail": rights("see-audit-trail"),
  "may.makeEvidence": rights("see-evidence"),
  "may.addDomains": roleNamesFor("manage-company"),
  "may.publish": roleNamesFor("publish-certificates"),
  "may.endDomains": rights("end-domains"),
  "may.endOrders": rights("end-orders"),
  "may.askStanding": roleNamesFor("manage-company"),
});

const retention = ({ privacy, security, mail }: PortalConfig): Values => ({
  invoicesKept: amount(privacy.invoiceYears, "year"),
  evidenceKept: amount(privacy.evidenceYears, "year"),
  unusedAccountsKept: days(privacy.unusedAccountsKeptDays),
  invitationsKept: days(privacy.invitationsKeptDays),
  requestsKept: days(privacy.requestsKeptDays),
  eventsKept: days(security.eventsKeptDays),
  mailKept: days(mail.keptDays),
  draftsKept: days(DRAFT_LIFE_MS / DAY),
});

const domains = (): Values => ({
  domainMailboxes: alternatives(DOMAIN_MAILBOXES),
  challengeLife: days(CHALLENGE_DAYS),
  confirmationLife: amount(CONFIRMED_YEARS, "year"),
  failedChecks: amount(FAILED_NIGHTS, "check"),
  standingLife: amount(IDENTITY_MONTHS, "month"),
});

/** Returns the figures of the documents, by their names in the Markdown. They come from the configuration and from the code that keeps them. */
export function policyFigures(config = getConfig()): Values {
  const { certificates, policies } = config;
  return {
    ...hierarchies(),
    ...usages(),
    ...lists(),
    ...ocsp(),
    ...schedules(),
    ...accountFigures(config),
    ...whoMay(),
    ...retention(config),
    ...domains(),
    hierarchyCount: count(Object.keys(HIERARCHIES).length),
    policyOid: certificates.policyOid,
    keyRules: keyRules(config),
    currentHierarchy: certificates.hierarchy === "g3" ? "G3" : "SHA2",
    ...nameClasses(),
    otherCountries: certificates.otherCountries.join(", "),
    csrHashes: alternatives(SOUND_HASHES.map(hashName)),
    smallFactorLimit: count(SMALL_FACTOR_LIMIT),
    staffChecks: new Intl.ListFormat("en-GB").format(Object.values(CHECK_TITLES).map((title) => `“${title}”`)),
    validity: `${Math.min(...VALIDITY_YEARS)} to ${amount(Math.max(...VALIDITY_YEARS), "year")}`,
    renewalMax: amount(MAX_TOTAL_YEARS, "year"),
    correctableFor: days(CORRECTION_DAYS),
    correctedAtMost: amount(CORRECTIONS_PER_CERTIFICATE, "time"),
    supersededAfter: days(SUPERSEDED_AFTER_DAYS),
    renewalsFrom: days(certificates.renewalsFromDays),
    renewalsUntil: days(certificates.renewalsUntilDays),
    clockSkew: amount(CLOCK_SKEW_MS / MINUTE, "minute"),
    keyEncryption: `PBES2 with AES-256 and a key derived from a passphrase by PBKDF2 with ${count(ITERATIONS)} rounds`,
    passwordHash: "argon2id",
    linkLife: days(AUTHORISATION_DAYS),
    reminderDays: `${new Intl.ListFormat("en-GB").format(REMINDER_DAYS.map(count))} days`,
    contactReminder: days(CONTACT_DAYS),
    revocationReasons: REVOCATION_REASONS.map(({ description }) => description).join(", "),
    reviewInterval: amount(policies.reviewMonths, "month"),
    terminationNotice: days(policies.terminationNoticeDays),
  };
}

/** Returns everything that the documents take from the configuration and the code, by its name in the Markdown. */
export const policyValues = (config = getConfig()): Values => ({ ...policyNames(config), ...policyFigures(config) });
