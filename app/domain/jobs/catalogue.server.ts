import { completeErasures } from "~/domain/accounts/personal-data/erasure.service.server";
import { endRetention } from "~/domain/accounts/personal-data/retention.server";
import { verifyAndSign, verifyWhole } from "~/domain/audit/checkpoint.service.server";
import {
  dropReplacedCrls,
  pruneCrls,
  renewBaseCrls,
  renewDeltaCrls,
  rootCrlWarnings,
} from "~/domain/authorities/renewal.service.server";
import { expireCertificates, reviveCertificates } from "~/domain/certificates/catalogue/expiry.service.server";
import { sendExpiryReminders } from "~/domain/certificates/catalogue/reminder.service.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { carryOutDueRevocations } from "~/domain/certificates/revocation/revocation.service.server";
import { extendProducts } from "~/domain/keys/modulus-products.service.server";
import { checkAllKeys } from "~/domain/keys/nightly-check.service.server";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { removeOldMails } from "~/domain/mail/upkeep.server";
import { listResponderEnds, renewResponders } from "~/domain/ocsp/responders.service.server";
import { makeMissingFiles } from "~/domain/orders/invoices/invoice-file.service.server";
import { chargeMaintenance } from "~/domain/orders/maintenance/generation.service.server";
import { sendSecurityAlerts } from "~/domain/security-events/alerts.service.server";
import { removeOldEvents } from "~/domain/security-events/upkeep.server";
import { DAY, formatDate } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { deleteEndedRows } from "~db/repositories/upkeep.server";

export interface JobDefinition {
  /** The name of the job and of its row. */
  name: string;
  /** What the job does, for people. */
  about: string;
  /** A cron pattern with seconds, in UTC. A late job runs as soon as a process is available. */
  schedule: string;
  /** How long the job waits at most, in milliseconds, while the process that would run it approves orders. Without it, it does not wait. */
  givesWayMs?: number;
  /** Does what is due. Safe to repeat, and to run twice at the same time. Returns the outcome in words and throws when it failed. */
  run: (now: Date) => Promise<string>;
}

const SECOND = 1000;

const counted = (work: (now: Date) => Promise<number>, what: string) => async (now: Date) =>
  `${await work(now)} ${what}`;

/** Everything that the portal does by itself. The CRLs are checked often, so that a failed publication is repeated soon. */
export const JOBS: readonly JobDefinition[] = [
  {
    name: "mail",
    about: "delivers queued email",
    schedule: "*/5 * * * * *",
    givesWayMs: 10 * SECOND,
    run: async (now) => {
      const { sent, failed } = await deliverDueMail(now);
      return `${sent} sent, ${failed} failed`;
    },
  },
  {
    name: "issuing",
    about: "finishes issuing that a crash interrupted",
    schedule: "0 * * * * *",
    run: counted(finishInterruptedIssuing, "finished"),
  },
  {
    name: "invoices",
    about: "makes the PDFs of invoices that have none yet",
    schedule: "5,35 * * * * *",
    givesWayMs: 20 * SECOND,
    run: counted(makeMissingFiles, "made"),
  },
  {
    name: "keys",
    about: "adds new keys to the search for shared prime factors",
    schedule: "15 * * * * *",
    givesWayMs: 20 * SECOND,
    run: counted(extendProducts, "added"),
  },
  {
    name: "keys-check",
    about: "checks that every key is in that search, and applies today's rules and blocklists to all keys",
    schedule: "0 30 3 * * *",
    run: checkAllKeys,
  },
  {
    name: "revocations",
    about: "carries out revocations whose date has come",
    schedule: "*/10 * * * * *",
    run: counted(carryOutDueRevocations, "carried out"),
  },
  {
    name: "crl-base",
    about: "publishes base CRLs that are missing or a day old",
    schedule: "30 * * * * *",
    run: counted(renewBaseCrls, "published"),
  },
  {
    name: "crl-delta",
    about: "publishes delta CRLs that are missing or an hour old",
    schedule: "45 * * * * *",
    run: counted(renewDeltaCrls, "published"),
  },
  {
    name: "ocsp-responders",
    about: "renews the certificates of the OCSP responders before they end",
    schedule: "20 */5 * * * *",
    run: async (now) => {
      await renewResponders(now);
      const ends = await listResponderEnds(now);
      return ends.map(({ name, notAfter }) => `${name} until ${formatDate(notAfter)}`).join(", ");
    },
  },
  {
    name: "root-lists",
    about: "warns when a root's CRL is missing or ends soon",
    schedule: "0 0 6 * * *",
    run: async (now) => {
      const warnings = await rootCrlWarnings(now);
      if (warnings.length > 0) throw new Error(warnings.join(" "));
      return "all current";
    },
  },
  {
    name: "expiry",
    about: "marks certificates past their end as Expired, and corrects wrong marks",
    schedule: "15 */5 * * * *",
    run: async (now) => `${await expireCertificates(now)} expired, ${await reviveCertificates(now)} corrected`,
  },
  {
    name: "reminders",
    about: "reminds owners of certificates that end soon",
    schedule: "0 10 * * * *",
    run: counted(sendExpiryReminders, "reminded of"),
  },
  {
    name: "replaced-lists",
    about: "removes the bytes of CRLs that a newer one of the same day replaced",
    schedule: "0 40 * * * *",
    run: counted(dropReplacedCrls, "removed"),
  },
  {
    name: "audit",
    about: "verifies what is new in the audit trail and signs a checkpoint",
    schedule: "50 */5 * * * *",
    run: verifyAndSign,
  },
  {
    name: "audit-whole",
    about: "verifies the whole audit trail",
    schedule: "0 40 2 * * *",
    run: verifyWhole,
  },
  {
    name: "code-maintenance",
    about: "makes the orders for the yearly maintenance of codes, from 1 January",
    schedule: "0 5 * * * *",
    run: async (now) => {
      const { year, charged, withoutAddress, reason } = await chargeMaintenance(now);
      return [
        `${charged} owners charged for ${year}`,
        withoutAddress > 0 && `, ${withoutAddress} without an address`,
        reason && `: ${reason}`,
      ]
        .filter(Boolean)
        .join("");
    },
  },
  {
    name: "security-alerts",
    about: "alerts user administrators and auditors to events that may be an attack",
    schedule: "25 * * * * *",
    run: counted(sendSecurityAlerts, "alerts queued"),
  },
  {
    name: "security-events",
    about: "removes security events that have been kept long enough",
    schedule: "0 25 3 * * *",
    run: counted(removeOldEvents, "removed"),
  },
  {
    name: "old-mail",
    about: "removes messages that were sent or dismissed long enough ago",
    schedule: "0 35 3 * * *",
    run: counted(removeOldMails, "removed"),
  },
  {
    name: "erasures",
    about: "erases what was kept of erased persons until certificates ended",
    schedule: "35 15 * * * *",
    run: completeErasures,
  },
  {
    name: "retention",
    about: "erases accounts that were never used, and removes ended invitations and requests",
    schedule: "0 45 3 * * *",
    run: endRetention,
  },
  {
    name: "clean-up",
    about: "removes expired drafts, links, rate limits and CRLs",
    schedule: "0 20 3 * * *",
    run: async (now) => {
      const rows = await deleteEndedRows(getDb(), new Date(now.getTime() - DAY));
      return `${rows} rows and ${await pruneCrls(now)} CRLs removed`;
    },
  },
];
