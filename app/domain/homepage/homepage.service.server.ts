import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { getDb, type Trx } from "~db/connection.server";
import { deleteSetting, findSetting, PORTAL, putSetting } from "~db/repositories/settings.server";
import { inTransaction } from "~db/transaction.server";
import { isUnavailable } from "~db/unavailable.server";
import { homepageSchema, type HomepageSettings } from "./homepage.schema";
import { SETTINGS_NOT_SAVED } from "./texts";

const SETTING = { name: "homepage", userId: PORTAL };
const FAILED = "IMP0C01E";

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Returns the banner of the login screen, or null when there is none. */
export async function findBanner(): Promise<HomepageSettings | null> {
  const stored = await findSetting(getDb(), SETTING);
  return stored === null ? null : (homepageSchema.safeParse(parse(stored)).data ?? null);
}

/** Returns the origin of the banner's image for the Content-Security-Policy, or null when there is no banner. */
export async function findBannerOrigin(): Promise<string | null> {
  const settings = await findBanner();
  return settings && new URL(settings.banner).origin;
}

/** Runs a change of the settings in a transaction. Throws a PortalError with the documented text when it cannot be stored. */
async function change<Result>(work: (trx: Trx) => Promise<Result>): Promise<Result> {
  try {
    return await inTransaction(work);
  } catch (error) {
    if (isUnavailable(error) || isPortalError(error)) throw error;
    logError(error, { code: FAILED });
    throw new PortalError(SETTINGS_NOT_SAVED, { code: FAILED, status: 500, cause: error });
  }
}

/** Stores the banner and the audit entry. */
export const saveBanner = (settings: HomepageSettings, actor: Actor, now = new Date()): Promise<void> =>
  change(async (trx) => {
    await requireTask(trx, actor, "change-settings");
    await putSetting(trx, SETTING, JSON.stringify(settings), now);
    const { banner, link, tooltip } = settings;
    const message = `The homepage banner was set: image ${banner}, link ${link}, tooltip '${tooltip}'.`;
    await recordAudit(trx, { actor, event: "homepage.updated", message }, now);
  });

/** Removes the banner and writes the audit entry. Returns false when there was none. */
export const removeBanner = (actor: Actor, now = new Date()): Promise<boolean> =>
  change(async (trx) => {
    await requireTask(trx, actor, "change-settings");
    const wasThere = await deleteSetting(trx, SETTING);
    const message = "The homepage banner was removed.";
    if (wasThere) await recordAudit(trx, { actor, event: "homepage.banner-removed", message }, now);
    return wasThere;
  });
