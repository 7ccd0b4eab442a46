import { listRevokedIds } from "~/domain/authorities/authorities.service.server";
import { USABLE } from "~/domain/certificates/certificates.policy";
import { colonHex } from "~/lib/hex";
import { type DbOrTrx } from "~db/connection.server";
import { type CodeRow } from "~db/repositories/codes.server";
import {
  type CarrierRow,
  listCarriers,
  listPublishedAt,
  type PublishedRow,
} from "~db/repositories/entity-certificates.server";
import { oftpIdentifier } from "../code-types";

/** How many certificates a company can publish at an entity, and how many that carry its OFTP ID are named. */
export const MOST_PUBLISHED = 10;

/** Leaves out the certificates of issuing CAs that are revoked, because everybody refuses them. */
async function withTrustedIssuers<Row extends { authorityId: number | null }>(db: DbOrTrx, rows: readonly Row[]) {
  if (rows.length === 0) return [];
  const revoked = await listRevokedIds(db);
  return rows.filter(({ authorityId }) => authorityId === null || !revoked.has(authorityId));
}

/** Returns the certificates that can be used of those that are published at these registered entities, the newest first. */
export const listPublished = async (db: DbOrTrx, codeIds: readonly number[], now: Date): Promise<PublishedRow[]> =>
  withTrustedIssuers(db, await listPublishedAt(db, codeIds, { statuses: USABLE, now }));

/** Returns the newest certificates of an entity's company that can be used and carry the OFTP ID of the entity. */
export const listUsableCarriers = async (
  db: DbOrTrx,
  entity: Pick<CodeRow, "companyId" | "codeType" | "code" | "subcode">,
  now: Date,
): Promise<CarrierRow[]> => {
  const about = { companyId: entity.companyId, oftpId: oftpIdentifier(entity).toUpperCase() };
  return withTrustedIssuers(db, await listCarriers(db, about, { statuses: USABLE, now, limit: MOST_PUBLISHED }));
};

/** Returns a certificate as those who search the register see it. */
export const toPublishedView = (
  { id, codeId, commonName, startDate, expiryDate, serialNumber, thumbprintSha256, publishedAt }: PublishedRow,
  isPrevious: boolean,
) => ({
  id,
  codeId,
  commonName,
  startDate,
  expiryDate,
  publishedAt,
  serialNumber: colonHex(serialNumber ?? ""),
  sha256: colonHex(thumbprintSha256 ?? ""),
  /** 'Previous' when another certificate that is published at the entity renews or replaces it. */
  state: isPrevious ? ("Previous" as const) : ("Current" as const),
});

export type PublishedView = ReturnType<typeof toPublishedView>;

/** Returns what is published at these entities as those who search the register see it, by entity, the current ones first. */
export async function viewPublished(
  db: DbOrTrx,
  codeIds: readonly number[],
  now: Date,
): Promise<Map<number, PublishedView[]>> {
  const rows = await listPublished(db, codeIds, now);
  const followed = new Set(rows.map(({ codeId, previousCertificateId }) => `${codeId} ${previousCertificateId}`));
  const views = rows.map((row) => toPublishedView(row, followed.has(`${row.codeId} ${row.id}`)));
  return new Map(
    codeIds.map((codeId) => {
      const own = views.filter((view) => view.codeId === codeId);
      return [
        codeId,
        [...own.filter(({ state }) => state === "Current"), ...own.filter(({ state }) => state !== "Current")],
      ];
    }),
  );
}
