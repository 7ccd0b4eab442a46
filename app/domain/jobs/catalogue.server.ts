import { completeErasures } from "~/domain/accounts/personal-data/erasure.service.server";
import { endRetention } from "~/domain/accounts/personal-data/retention.server";
import { updateAlerts } from "~/domain/alerts/alerts.service.server";
import { verifyAndSign, verifyWhole } from "~/domain/audit/checkpoint.service.server";
import {
  dropReplacedCrls,
  pruneCrls,
  renewBaseCrls,
  renewDeltaCrls,
  rootCrlWarnings,
} from "~/domain/authorities/renewal.service.server";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { expireCertificates, reviveCertificates } from "~/domain/certificates/catalogue/expiry.service.server";
import { sendExpiryReminders } from "~/domain/certificates/catalogue/reminder.service.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { isApprovingAnywhere } from "~/domain/certificates/issuing/groups.server";
import { publishRenewals } from "~/domain/certificates/partners/following.service.server";
import { PARTNERS_KEPT_DAYS } from "~/domain/certificates/partners/partners-fields";
import { remindPartners } from "~/domain/certificates/partners/reminders.service.server";
import { carryOutDueRevocations } from "~/domain/certificates/revocation/revocation.service.server";
import { issueLeftWithin } from "~/domain/certificates/standing/issuing.service.server";
import { keepStanding } from "~/domain/certificates/standing/nightly.service.server";
import { FORGOTTEN_AFTER_DAYS } from "~/domain/companies/domains/challenge";
import { keepDomains } from "~/domain/companies/domains/nightly.service.server";
import { extendProducts } from "~/domain/keys/modulus-products.service.server";
import { checkAllKeys } from "~/domain/keys/nightly-check.service.server";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { removeOldMails } from "~/domain/mail/upkeep.server";
import { listResponderEnds, renewResponders } from "~/domain/ocsp/responders.service.server";
import { makeMissingFiles } from "~/domain/orders/invoices/invoice-file.service.server";
import { issueMonthlyInvoices } from "~/domain/orders/invoices/monthly.service.server";
import { chargeMaintenance } from "~/domain/orders/maintenance/generation.service.server";
import { sendSecurityAlerts } from "~/domain/security-events/alerts.service.server";
import { removeOldEvents } from "~/domain/security-events/upkeep.server";
import { measureStatus } from "~/domain/status/measuring.service.server";
import { announceEvents } from "~/domain/webhooks/announcing.service.server";
import { deliverWebhooks } from "~/domain/webhooks/delivery.server";
import { keepWebhooks } from "~/domain/webhooks/upkeep.server";
import { getConfig } from "~/lib/config.server";
import { addDays, DAY, formatDate } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { deleteEndedPartners } from "~db/repositories/certificate-partners.server";
import { deleteEndedPublications } from "~db/repositories/entity-certificates.server";
import { deleteEndedRows } from "~db/repositories/upkeep.server";
import { type JobName, type Timed, TIMETABLE } from "./timetable.server";

export interface JobDefinition extends Timed {
  /** Does what is due. Safe to repeat, and to run twice at the same time. Returns the outcome in words and throws when it failed. */
  run: (now: Date) => Promise<string>;
}

const counted = (work: (now: Date) => Promise<number>, what: string) => async (now: Date) =>
  `${await work(now)} ${what}`;

const RUNS: Record<JobName, JobDefinition["run"]> = {
  mail: async (now) => {
    const { sent, failed } = await deliverDueMail(now, isApprovingAnywhere);
    return `${sent} sent, ${failed} failed`;
  },
  issuing: async (now) => {
    const left = await issueLeftWithin(now);
    return `${await finishInterruptedIssuing(now)} finished${left > 0 ? `, ${left} under standing authorisations tried` : ""}`;
  },
  invoices: counted(makeMissingFiles, "made"),
  "monthly-invoices": counted(issueMonthlyInvoices, "issued"),
  keys: counted(extendProducts, "added"),
  "keys-check": checkAllKeys,
  "certificates-audit": auditEverything,
  revocations: counted(carryOutDueRevocations, "carried out"),
  "crl-base": counted(renewBaseCrls, "published"),
  "crl-delta": counted(renewDeltaCrls, "published"),
  "ocsp-responders": async (now) => {
    await renewResponders(now);
    const ends = await listResponderEnds(now);
    return ends.map(({ name, notAfter }) => `${name} until ${formatDate(notAfter)}`).join(", ");
  },
  "root-lists": async (now) => {
    const warnings = await rootCrlWarnings(now);
    if (warnings.length > 0) throw new Error(warnings.join(" "));
    return "all current";
  },
  expiry: async (now) => `${await expireCertificates(now)} expired, ${await reviveCertificates(now)} corrected`,
  reminders: counted(sendExpiryReminders, "reminded of"),
  "partner-publishing": counted(publishRenewals, "published"),
  "partner-reminders": counted(remindPartners, "reminded"),
  domains: keepDomains,
  standing: keepStanding,
  "replaced-lists": counted(dropReplacedCrls, "removed"),
  audit: verifyAndSign,
  "audit-whole": verifyWhole,
  "webhook-events": counted(announceEvents, "queued"),
  webhooks: counted(deliverWebhooks, "tried"),
  "webhook-upkeep": keepWebhooks,
  "code-maintenance": async (now) => {
    const { year, charged, withoutAddress, reason } = await chargeMaintenance(now);
    return [
      `${charged} owners charged for ${year}`,
      withoutAddress > 0 && `, ${withoutAddress} without an address`,
      reason && `: ${reason}`,
    ]
      .filter(Boolean)
      .join("");
  },
  "security-alerts": counted(sendSecurityAlerts, "alerts queued"),
  alerts: updateAlerts,
  status: measureStatus,
  "security-events": counted(removeOldEvents, "removed"),
  "old-mail": counted(removeOldMails, "removed"),
  erasures: completeErasures,
  retention: endRetention,
  "clean-up": async (now) => {
    const domainsBefore = addDays(now, -FORGOTTEN_AFTER_DAYS);
    const rows = await deleteEndedRows(getDb(), new Date(now.getTime() - DAY), { domainsBefore });
    const partners = await deleteEndedPartners(getDb(), addDays(now, -PARTNERS_KEPT_DAYS));
    const publications = await deleteEndedPublications(
      getDb(),
      addDays(now, -getConfig().certificates.renewalsUntilDays - 1), // a renewal after the end still takes its place
    );
    return `${rows + partners + publications} rows and ${await pruneCrls(now)} CRLs removed`;
  },
};

/** Every job of the timetable with what it does. */
export const JOBS: readonly JobDefinition[] = TIMETABLE.map((entry) => ({ ...entry, run: RUNS[entry.name] }));
