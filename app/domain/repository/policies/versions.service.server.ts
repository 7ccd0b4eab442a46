import { recordAudits, systemActor } from "~/domain/audit/audit.service.server";
import { getConfig } from "~/lib/config.server";
import { takeLock } from "~db/advisory-lock.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listReferencesOf } from "~db/repositories/audit-entries.server";
import { inTransaction } from "~db/transaction.server";
import { POLICIES } from "./catalogue";
import { policyFingerprint } from "./source.server";

/** The event of a text that was published. Its reference is made of the policy's name, its version and the fingerprint of the text. */
export const POLICY_PUBLISHED = "policy.published";

interface PublishedText {
  title: string;
  fingerprint: string;
  reference: string;
  /** Whether a text with this fingerprint was published before. */
  isKnown: boolean;
  /** Whether the version was first published with another text. */
  isChanged: boolean;
}

/** Returns the present text of each policy, compared with those that were published. */
async function compareTexts(db: DbOrTrx): Promise<PublishedText[]> {
  const known = await listReferencesOf(db, POLICY_PUBLISHED);
  return POLICIES.map(({ name, title }) => {
    const version = `${name} ${getConfig().policies.version}`;
    const fingerprint = policyFingerprint(name);
    const reference = `${version} ${fingerprint}`;
    const first = known.find((other) => other.slice(0, -1 - fingerprint.length) === version);
    return {
      title,
      fingerprint,
      reference,
      isKnown: known.includes(reference),
      isChanged: first !== undefined && first !== reference,
    };
  });
}

/** Records in the audit trail every text that is published now and was not recorded before. Safe to repeat and in any number of processes. */
export const recordPolicies = (now = new Date()): Promise<void> =>
  inTransaction(async (trx) => {
    await takeLock(trx, "policies");
    const { version } = getConfig().policies;
    const entries = (await compareTexts(trx))
      .filter(({ isKnown }) => !isKnown)
      .map(({ title, fingerprint, reference, isChanged }) => ({
        actor: systemActor("policies"),
        event: POLICY_PUBLISHED,
        message: isChanged
          ? `The text of the ${title} has changed, but its version is still ${version}. Fingerprint of the text: ${fingerprint}.`
          : `The ${title}, version ${version}, was published. Fingerprint of its text: ${fingerprint}.`,
        reference,
      }));
    await recordAudits(trx, entries, now);
  });

/**
 * Returns a notice for staff when the text of a policy is not the one with which its version was published, or null. A change of the
 * configuration, of the software or of the text is the cause.
 */
export async function changedPoliciesNotice(): Promise<string | null> {
  const changed = (await compareTexts(getDb())).filter(({ isChanged }) => isChanged).map(({ title }) => title);
  if (changed.length === 0) return null;
  const { version } = getConfig().policies;
  const titles = new Intl.ListFormat("en-GB").format(changed.map((title) => `the ${title}`));
  return `The text of ${titles} has changed since version ${version} was published, because a setting, the software or the text was changed. Raise policies.version and policies.date in the configuration file and start the portal again.`;
}
