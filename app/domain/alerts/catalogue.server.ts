import { crlLife } from "~/domain/authorities/crl-life";
import { LONGEST_VALIDITY_YEARS } from "~/domain/certificates/purchase/fields";
import { LONGEST_DELAY_MS, SHORTEST_DELAY_MS } from "~/domain/jobs/timetable.server";
import { RENEWAL_DAYS, RESPONDER_LIFE_DAYS, RESPONDER_WARNING_DAYS } from "~/domain/ocsp/responders.service.server";
import { DAY } from "~/lib/dates";
import { type AlertRule, lengthText } from "./rule.policy";

const inSeconds = (ms: number) => ms / 1000;

const BASE = crlLife({ isRoot: false }, false);
const DELTA = crlLife({ isRoot: false }, true);
const ROOT = crlLife({ isRoot: true }, false);

/** More refused messages than this within an hour are no coincidence of single addresses. */
const REFUSED_MESSAGES = 10;
const LEAST_FREE = 0.1;
/** The part of the signer's daily ceiling from which on its use is reported. */
const CEILING_USED = 0.8;
const TLS_WARNING_DAYS = 21;
/** A ceremony needs people, and partners need time to install another CA. */
const REPLACEMENT_WARNING_DAYS = 180;

/**
 * Every rule by which the portal, and Prometheus with `deploy/prometheus/marque.rules.yml`, find out that something is wrong. A rule
 * looks at a metric only, so both find the same. A part that is new to the portal gets its metric in `app/domain/metrics` and its rules here.
 */
export const ALERT_RULES: readonly AlertRule[] = [
  {
    name: "database-down",
    severity: "critical",
    metric: "marque_database_up",
    comparison: "below",
    threshold: 1,
    unit: "yes (1) or no (0)",
    needsSample: true,
    title: () => "The portal or its database does not answer",
    what: "The portal cannot read its database, or Prometheus cannot read the portal's metrics.",
    otherwise: "Pages and calls answer 503, and CRLs and OCSP answers end one after the other.",
    todo: "Start what is down. Only Prometheus reports this: the portal cannot send messages without its database.",
    section: "Health and log",
  },
  {
    name: "crl-base-ends",
    severity: "critical",
    metric: "marque_crl_next_update_timestamp_seconds",
    labels: { kind: ["base"], level: ["issuing"] },
    subject: "authority",
    comparison: "ends-within",
    threshold: inSeconds(BASE.warnBeforeMs),
    unit: "seconds",
    title: (authority) => `The base CRL of ${authority} ends soon`,
    what: `The latest base CRL ends within ${lengthText(BASE.warnBeforeMs)}, although a new one is due every day.`,
    otherwise: "When it has ended, partners that check CRLs refuse every certificate of this CA.",
    todo: "Look at the error of the job 'crl-base' on the page 'Jobs', remove its cause, and run the job.",
    section: "Certificate revocation lists (CRLs)",
  },
  {
    name: "crl-delta-ends",
    severity: "critical",
    metric: "marque_crl_next_update_timestamp_seconds",
    labels: { kind: ["delta"], level: ["issuing"] },
    subject: "authority",
    comparison: "ends-within",
    threshold: inSeconds(DELTA.warnBeforeMs),
    unit: "seconds",
    title: (authority) => `The delta CRL of ${authority} ends soon`,
    what: `The latest delta CRL ends within ${lengthText(DELTA.warnBeforeMs)}, although a new one is due every hour.`,
    otherwise:
      "When it has ended, partners that use delta CRLs learn of revocations up to a day later, or refuse certificates.",
    todo: "Look at the error of the job 'crl-delta' on the page 'Jobs', remove its cause, and run the job.",
    section: "Certificate revocation lists (CRLs)",
  },
  {
    name: "crl-root-ends",
    severity: "warning",
    metric: "marque_crl_next_update_timestamp_seconds",
    labels: { kind: ["base"], level: ["root"] },
    subject: "authority",
    comparison: "ends-within",
    threshold: inSeconds(ROOT.warnBeforeMs),
    unit: "seconds",
    title: (authority) => `The CRL of ${authority} is missing or ends soon`,
    what: `The CRL of a root is made by hand, and this one ends within ${lengthText(ROOT.warnBeforeMs)} or is missing.`,
    otherwise: "Without a current one, partners that check the whole chain refuse every certificate.",
    todo: "Run 'ca publish --roots' where the root keys are, and 'ca import-list' on the portal.",
    section: "CRLs of the roots",
  },
  {
    name: "ocsp-responder-ends",
    severity: "critical",
    metric: "marque_ocsp_responder_end_timestamp_seconds",
    subject: "authority",
    comparison: "ends-within",
    threshold: inSeconds(RESPONDER_WARNING_DAYS * DAY),
    unit: "seconds",
    title: (authority) => `The OCSP responder of ${authority} is missing or ends soon`,
    what: `The responder's certificate is valid for ${RESPONDER_LIFE_DAYS} days and is renewed ${RENEWAL_DAYS} days before its end. This one ends within ${RESPONDER_WARNING_DAYS} days, or there is none.`,
    otherwise:
      "Without a responder, OCSP requests are answered with tryLater, and partners that insist on an answer refuse certificates.",
    todo: "Look at the error of the job 'ocsp-responders' on the page 'Jobs', remove its cause, and run the job or 'ca renew-ocsp'.",
    section: "OCSP",
  },
  {
    name: "issuing-ca-short",
    severity: "warning",
    metric: "marque_issuing_ca_replacement_timestamp_seconds",
    subject: "authority",
    comparison: "ends-within",
    threshold: inSeconds(REPLACEMENT_WARNING_DAYS * DAY),
    unit: "seconds",
    title: (authority) => `The time to replace ${authority} as issuing CA ends soon`,
    what: `Within ${REPLACEMENT_WARNING_DAYS} days, a certificate of ${LONGEST_VALIDITY_YEARS} years, the longest validity, would end after this CA, and no other CA is planned to take over before.`,
    otherwise: "From then on, certificates end with the CA, earlier than customers have ordered.",
    todo: "Make another issuing CA in a ceremony, bring it in with 'ca install', and let it take over with 'ca take-over'.",
    section: "Issuing CAs that follow each other",
  },
  {
    name: "key-unusable",
    severity: "critical",
    metric: "marque_authority_key_usable",
    subject: "authority",
    comparison: "below",
    threshold: 1,
    unit: "yes (1) or no (0)",
    title: (authority) => `The key of ${authority} does not answer`,
    what: "The key file is missing or does not open, or the token or the signer does not sign with the key.",
    otherwise:
      "Nothing can be issued or revoked with this CA, at the latest after the next start, and its CRLs and responder end.",
    todo: "The log has the reason ('a CA key does not answer'). Put the key file back from its safe copy, connect the token, or start the signer.",
    section: "CA keys on a token",
  },
  {
    name: "signer-unreachable",
    severity: "critical",
    metric: "marque_signer_up",
    comparison: "below",
    threshold: 1,
    unit: "yes (1) or no (0)",
    title: () => "The signer does not answer",
    what: "The process with the keys of the issuing CAs cannot be reached, or cannot read its journal.",
    otherwise: "Orders that are approved wait, revocations are not published, and CRLs and OCSP responders end.",
    todo: "The log has the reason ('the signer does not answer'). Start the signer; the portal completes what waits by itself.",
    section: "The signer",
  },
  {
    name: "signer-near-ceiling",
    severity: "warning",
    metric: "marque_signer_ceiling_ratio",
    comparison: "above",
    threshold: CEILING_USED,
    unit: "part of the ceiling",
    title: () => "The signer is near its daily ceiling",
    what: `More than ${CEILING_USED * 100} % of the certificates that the signer signs on a day are signed.`,
    otherwise: "When the ceiling is reached, approved orders wait until the next day (UTC).",
    todo: "Find out whether staff approved so many orders. If not, stop the signer: somebody may control the portal. If so, raise SIGNER_DAILY_CEILING and start the signer again.",
    section: "The signer",
  },
  {
    name: "job-late",
    severity: "warning",
    metric: "marque_job_late_timestamp_seconds",
    subject: "job",
    comparison: "past",
    threshold: 0,
    unit: "seconds",
    title: (job) => `The job '${job}' is late`,
    what: `The job has not succeeded since its time came, and that was more than its interval ago (at least ${lengthText(SHORTEST_DELAY_MS)}, at most ${lengthText(LONGEST_DELAY_MS)}).`,
    otherwise: "What the job does is not done: messages, CRLs, revocations and reminders depend on jobs.",
    todo: "Look at the job's error on the page 'Jobs'. When no job runs at all, no process of the portal is running.",
    section: "Jobs",
  },
  {
    name: "audit-unsound",
    severity: "critical",
    metric: "marque_audit_problems",
    subject: "verification",
    comparison: "above",
    threshold: 0,
    unit: "problems",
    title: (verification) => `The audit trail is not sound (verification: ${verification})`,
    what: "A verification of the audit trail (latest: what is new; whole: all of it, at night) found entries that were changed, removed or added outside the portal.",
    otherwise: "No further checkpoint is signed while new entries are not sound, and the trail proves less every day.",
    todo: "Run 'audit verify', which names the entries. Keep a copy of the database and of the checkpoints before you change anything, and find out who had access.",
    section: "Audit trail",
  },
  {
    name: "issued-unsound",
    severity: "critical",
    metric: "marque_audit_findings",
    comparison: "above",
    threshold: 0,
    unit: "findings",
    title: () => "The nightly audit found something wrong with what was issued",
    what: "A certificate, a CRL or an OCSP responder was changed, contradicts the database, or breaks today's rules.",
    otherwise: "Partners may refuse a certificate, or trust one that they must not trust.",
    todo: "The page 'Certificate audit' shows each finding with its cause and what to do.",
    section: "Nightly audit",
  },
  {
    name: "mail-refused",
    severity: "warning",
    metric: "marque_mail_refused_messages",
    comparison: "above",
    threshold: REFUSED_MESSAGES,
    unit: "messages",
    title: () => "Mail servers refuse many messages",
    what: `More than ${REFUSED_MESSAGES} messages were refused for the first time within the last hour, for now or permanently, and are still not sent.`,
    otherwise: "Customers get no invoices, links and reminders, and you get no messages about alerts.",
    todo: "The page 'Email' shows the mail server's words. Correct SMTP_URL, MAIL_FROM or the server, then run 'mail retry'.",
    section: "Mail",
  },
  {
    name: "disk-low",
    severity: "critical",
    metric: "marque_disk_free_ratio",
    subject: "folder",
    comparison: "below",
    threshold: LEAST_FREE,
    unit: "part of the disk",
    title: (folder) => `The disk of the folder '${folder}' is nearly full`,
    what: `Less than ${LEAST_FREE * 100} % of the disk of DATA_DIR (data), or of DATA_DIR/audit (audit) when that is another one, is free.`,
    otherwise: "When it is full, nothing can be ordered, issued or revoked.",
    todo: "Make room or enlarge the disk. DATA_DIR/outbox and old backups on the same disk are usual causes.",
    section: "Where data is stored",
  },
  {
    name: "tls-certificate-ends",
    severity: "warning",
    metric: "marque_tls_certificate_end_timestamp_seconds",
    comparison: "ends-within",
    threshold: inSeconds(TLS_WARNING_DAYS * DAY),
    unit: "seconds",
    title: () => "The TLS certificate of the portal ends soon",
    what: `The certificate that PUBLIC_URL serves ends within ${TLS_WARNING_DAYS} days.`,
    otherwise: "When it has ended, browsers and programs refuse to connect to the portal.",
    todo: "Renew the certificate where TLS ends, which is usually the reverse proxy, and reload the proxy.",
    section: "Reverse proxies",
  },
];

/** Returns the rule with this name, or null when this version has none. */
export const findAlertRule = (name: string): AlertRule | null => ALERT_RULES.find((rule) => rule.name === name) ?? null;
