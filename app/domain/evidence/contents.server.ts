import { companyConditions } from "~/domain/audit/trail.service.server";
import { POLICY_PUBLISHED } from "~/domain/repository/policies/versions.service.server";
import { getDb } from "~db/connection.server";
import { type AuditCondition, searchAudit } from "~db/repositories/audit-search.server";
import { listCertificateIdsAfter } from "~db/repositories/certificate-list.server";
import { listCertificatesIn } from "~db/repositories/evidence.server";
import { type PackErrors, type PackQuery } from "./pack-query";
import { type PackScope, readScope } from "./scope.server";

/** How many audit entries and certificates a pack has at most. */
export const MOST_ENTRIES = 20_000;
export const MOST_IN_PACK = 2_000;

/** How many entries are looked up in one statement. */
const IDS_AT_ONCE = 500;

/** What a pack contains. Both lists are in ascending order. */
export interface PackContents {
  scope: PackScope;
  certificateIds: number[];
  entryIds: number[];
}

const ascending = (ids: Iterable<number>) => [...new Set(ids)].sort((one, other) => one - other);

async function conditionsOf({ certificate, companyId }: PackScope): Promise<AuditCondition[]> {
  if (certificate)
    return [
      { column: "certificate_id", value: certificate.id },
      { column: "order_id", value: certificate.orderId },
    ];
  return companyId === null ? [] : companyConditions(companyId);
}

async function findEntryIds(scope: PackScope): Promise<number[]> {
  const conditions = await conditionsOf(scope);
  const search = { groups: conditions.length > 0 ? [conditions] : [], text: "", direction: "asc" } as const;
  const { ids } = await searchAudit(getDb(), { ...search, from: scope.from, before: scope.before }, MOST_ENTRIES + 1);
  return ids;
}

/** Returns the entries about the policies that were published until the end of the period, so that the pack proves which were in force. */
async function findPolicyEntryIds({ before }: PackScope): Promise<number[]> {
  const groups = [[{ column: "event", value: POLICY_PUBLISHED } as const]];
  return (await searchAudit(getDb(), { groups, text: "", from: null, before, direction: "desc" }, MOST_ENTRIES)).ids;
}

async function findCertificateIds({ certificate, companyId, from }: PackScope, entryIds: readonly number[]) {
  if (certificate) return [certificate.id];
  if (companyId !== null && from === null)
    return listCertificateIdsAfter(getDb(), { companyId, terms: [] }, { after: 0, limit: MOST_IN_PACK + 1 });
  const found: number[] = [];
  for (let at = 0; at < entryIds.length; at += IDS_AT_ONCE)
    found.push(...(await listCertificatesIn(getDb(), entryIds.slice(at, at + IDS_AT_ONCE), companyId)));
  return found;
}

const tooMany = (scope: PackScope, what: string): PackErrors => ({
  [scope.from === null ? "from" : "to"]:
    `A pack has at most ${what}, and this one would have more. Enter a ${scope.from === null ? "period" : "shorter period"}.`,
});

/** Returns what a pack would contain, or why there can be none. Reads at most one row more than a pack can have. */
export async function findContents(query: PackQuery): Promise<PackContents | { errors: PackErrors }> {
  const read = await readScope(query);
  if ("errors" in read) return read;
  const { scope } = read;
  const found = await findEntryIds(scope);
  if (found.length > MOST_ENTRIES)
    return { errors: tooMany(scope, `${MOST_ENTRIES.toLocaleString("en-GB")} audit entries`) };
  const certificateIds = ascending(await findCertificateIds(scope, found));
  if (certificateIds.length > MOST_IN_PACK)
    return { errors: tooMany(scope, `${MOST_IN_PACK.toLocaleString("en-GB")} certificates`) };
  return { scope, certificateIds, entryIds: ascending([...found, ...(await findPolicyEntryIds(scope))]) };
}
