import { type AppLoadContext, json } from "@remix-run/node";
import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { listOwnCompanies, nameAmong } from "~/domain/companies/own-companies.service.server";
import { loadStaffRow } from "~/domain/homepage/staff-row.server";
import { type Shell } from "~/domain/shell";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { findPublicPage } from "~/lib/public-pages";
import { dutyOf } from "./duties.server";
import { takeToast } from "./flash.server";
import { findUser } from "./guard.server";
import { commitSession, getSession, newCsrfToken } from "./session.server";
import { readTheme } from "./theme.server";
import { findUnsent } from "./unsent-form.server";

function publicPageAt(request: Request): Shell["publicPage"] {
  const page = findPublicPage(new URL(request.url).pathname);
  return page && { description: page.description, url: getEnv().publicUrl + page.path };
}

/** Returns what the header offers to choose from. Nothing with one company, and nothing while an administrator acts as the user. */
async function companiesOf(user: SessionUser): Promise<NonNullable<Shell["user"]>["companies"]> {
  const companies = user.impersonator ? [] : await listOwnCompanies(user);
  if (companies.length < 2) return [];
  return companies.map((one) => ({
    id: one.id,
    name: nameAmong(one, companies),
    isCurrent: one.id === user.companyId,
  }));
}

/**
 * Returns what every page shows around its content. A page that is stored for everybody without a session contains no token of its own, so
 * it sets no cookie.
 */
export async function loadShell(request: Request, { storedToken }: Pick<AppLoadContext, "storedToken"> = {}) {
  const [session, user] = await Promise.all([getSession(request), findUser(request)]);
  const unsent = user && (await findUnsent(request, user.id));
  const toast = takeToast(session, request);
  let csrf = storedToken ?? session.get("csrf");
  // With scripts, loaders of one page answer at the same time. A cookie that is set without need would undo the message that another sets.
  const mustCommit = storedToken === undefined && (toast !== null || csrf === undefined);
  if (csrf === undefined) session.set("csrf", (csrf = newCsrfToken()));

  const config = getConfig();
  const { helpLink, pricingLink, contactLink, faqLink, prepareCsrLink } = config;
  const { termsAndConditionsLink, cookiesLink, privacyPolicyLink } = config;
  const shell: Shell = {
    user: user && {
      id: user.id,
      name: `${user.firstName} ${user.lastName}`,
      email: user.email,
      company: user.company,
      companies: await companiesOf(user),
      seesQueue: may(user, "see-queue"),
      staffRow: dutyOf(user) === null ? await loadStaffRow(user) : null,
      isApplicant: user.isApplicant,
      headerDisabled: dutyOf(user) !== null,
      impersonator: user.impersonator && { name: user.impersonator.name },
    },
    csrf,
    toast,
    unsent,
    theme: await readTheme(request),
    publicPage: publicPageAt(request),
    loadedAt: new Date().toISOString(),
    portal: {
      name: config.branding.name,
      links: {
        helpLink,
        pricingLink,
        contactLink,
        faqLink,
        prepareCsrLink,
        termsAndConditionsLink,
        cookiesLink,
        privacyPolicyLink,
      },
      legal: config.legal,
      pasteBlocking: config.accounts.blockPasting,
    },
  };
  return json(shell, mustCommit ? { headers: { "Set-Cookie": await commitSession(session) } } : undefined);
}
