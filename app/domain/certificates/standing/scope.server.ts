import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { authorityLife } from "~/domain/authorities/life.policy";
import { certificatePrice } from "~/domain/orders/price.policy";
import { getConfig } from "~/lib/config.server";
import { LARGEST_STANDING_GRANT, type StandingScope } from "~/signer/protocol";
import { type DbOrTrx } from "~db/connection.server";
import { type StandingRow } from "~db/repositories/standing-authorisations.server";
import { listsOf } from "./standing.policy";

/**
 * Returns how many certificates the signer may sign on the grant of a standing authorisation. The signer knows no prices, so a ceiling in euro
 * gives the number of certificates for one year that it pays for, at least one.
 */
export function grantedCount(
  { ceilingCertificates, ceilingCents }: Pick<StandingRow, "ceilingCertificates" | "ceilingCents">,
  perYearCents: number,
): number {
  const most = LARGEST_STANDING_GRANT.certificates;
  if (ceilingCertificates !== null) return Math.min(ceilingCertificates, most);
  const { netCents } = certificatePrice({ perYearCents, years: 1, discountCents: 0 });
  return netCents > 0 ? Math.min(Math.max(Math.floor((ceilingCents ?? 0) / netCents), 1), most) : most;
}

/** Returns the names of the CAs that issue or renew now, in order. */
async function issuersNow(db: DbOrTrx, now: Date): Promise<string[]> {
  const all = await listAuthorities(db);
  const issuing = all.filter((one) => !one.isRoot && ["active", "renewals"].includes(authorityLife(one, all, now)));
  return issuing.map(({ name }) => name).toSorted();
}

/** Returns what an approver confirms to the signer for a standing authorisation. */
export async function scopeOf(db: DbOrTrx, row: StandingRow, now: Date): Promise<StandingScope> {
  const { domains, oftpIds, usages } = listsOf(row);
  const { certificates, prices } = getConfig();
  return {
    authorisation: row.id,
    company: row.companyId,
    organisation: row.organisation,
    organisationUnit: row.organisationUnit,
    locality: row.locality,
    state: row.state,
    country: row.country,
    domains: domains.map(({ name, isHostOnly }) => ({ name, isHostOnly })),
    oftpIds,
    usages,
    issuers: await issuersNow(db, now),
    longestYears: row.longestYears,
    renewalDays: certificates.renewalsFromDays,
    certificates: grantedCount(row, prices.certificatePerYearCents),
    endsAt: row.endsAt,
  };
}
