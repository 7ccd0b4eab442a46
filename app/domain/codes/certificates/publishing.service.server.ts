import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { listRevokedIds } from "~/domain/authorities/authorities.service.server";
import { whyNotDownload } from "~/domain/certificates/certificates.policy";
import { requireMember } from "~/domain/companies/membership.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { asLines } from "~/lib/broken-rule";
import { notFound, PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { type Trx } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type CodeRow, lockCode } from "~db/repositories/codes.server";
import {
  deleteEntityCertificate,
  insertEntityCertificate,
  listEntitiesOf,
} from "~db/repositories/entity-certificates.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { fullCode } from "../code-types";
import { listPublished, MOST_PUBLISHED } from "./published.server";
import { tellFollowers } from "./telling.server";

const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "code.certificates", ...(field && { field }) });

/** Returns an entity, locked. Throws a PortalError (404) when it belongs to somebody else, and (403) when the role does not allow to publish. */
async function lockEntity(trx: Trx, user: SessionUser, codeId: number): Promise<CodeRow> {
  const code = await lockCode(trx, codeId);
  if (!code) throw notFound();
  if (!maySee(user, code)) throw hiddenFrom(user);
  await requireMember(trx, user, code, "publish-certificates");
  return code;
}

/** Returns why a certificate cannot be published at an entity, or null. */
function whyNotPublish(
  id: number,
  row: CertificateRow | null,
  { code, revoked, now }: { code: CodeRow; revoked: ReadonlySet<number>; now: Date },
): string | null {
  if (row?.companyId !== code.companyId) return `Your company has no certificate ${id}.`;
  const barrier =
    Date.parse(row.expiryDate ?? "") <= now.getTime() ? "The certificate has expired." : whyNotDownload(row.status);
  if (barrier !== null) return `Certificate ${id} cannot be published. ${barrier}`;
  return revoked.has(row.authorityId ?? 0)
    ? `Certificate ${id} cannot be published. The CA that issued it is revoked.`
    : null;
}

/** Records that something was done to the publication of a certificate at an entity. */
const record = (
  trx: Trx,
  code: CodeRow,
  certificate: Pick<CertificateRow, "id" | "serialNumber">,
  entry: { actor: Actor; event: string; message: string },
  now: Date,
): Promise<void> =>
  recordAudit(
    trx,
    {
      ...entry,
      userId: code.userId,
      codeId: code.id,
      certificateId: certificate.id,
      reference: certificate.serialNumber,
    },
    now,
  );

/**
 * Publishes certificates of a company at its entity, for those who may search the register. Those that are published already stay as they
 * are. When one cannot be published, none is. Returns how many are new. Throws a PortalError (404) when the entity belongs to somebody else,
 * (403) when the role of the user does not allow it, and for the field `certificateIds`.
 */
export async function publishAtEntity(
  user: SessionUser,
  codeId: number,
  certificateIds: readonly number[],
  now = new Date(),
): Promise<number> {
  requireNoImpersonation(user, "what is published in the code register");
  await consumeTry("register-company", user.companyId);
  return inTransaction(async (trx) => {
    const code = await lockEntity(trx, user, codeId);
    if (code.status !== "Registered")
      throw refusal(`The code is ${code.status}. Certificates can only be published at registered entities.`);
    if (certificateIds.length === 0) throw refusal("Select a certificate first.", "certificateIds");
    const revoked = await listRevokedIds(trx);
    const problems: string[] = [];
    const added: CertificateRow[] = [];
    for (const id of [...new Set(certificateIds)].sort((one, other) => one - other)) {
      const row = await lockCertificate(trx, id);
      const problem = whyNotPublish(id, row, { code, revoked, now });
      if (problem !== null) problems.push(problem);
      else if (row) {
        const { companyId } = code;
        const publication = { codeId, certificateId: id, companyId, publishedBy: user.id, publishedAt: now };
        if (await insertEntityCertificate(trx, publication)) added.push(row);
      }
    }
    if (problems.length > 0) throw refusal(asLines(problems), "certificateIds");
    const { length } = await listPublished(trx, [codeId], now);
    if (length > MOST_PUBLISHED)
      throw refusal(
        `At most ${MOST_PUBLISHED} certificates can be published at an entity. With these there would be ${length}.`,
        "certificateIds",
      );
    for (const row of added) {
      const message = `Published the certificate for ${row.commonName} at ${fullCode(code)} in the code register.`;
      await record(trx, code, row, { actor: user.actor, event: "code.certificate-published", message }, now);
    }
    const what = `The entity has published ${added.length === 1 ? "a certificate" : "certificates"} in the register.`;
    if (added.length > 0) await tellFollowers(trx, code, { what, certificates: added }, now);
    return added.length;
  });
}

/**
 * Ends the publication of a certificate at an entity. The certificate itself stays as it is. Throws a PortalError (404) when the entity
 * belongs to somebody else, (403) when the role of the user does not allow it, and for the field `certificateId` when it is not published
 * there.
 */
export async function endPublication(
  user: SessionUser,
  codeId: number,
  certificateId: number,
  now = new Date(),
): Promise<string> {
  requireNoImpersonation(user, "what is published in the code register");
  await consumeTry("register-company", user.companyId);
  return inTransaction(async (trx) => {
    const code = await lockEntity(trx, user, codeId);
    const row = (await deleteEntityCertificate(trx, codeId, certificateId))
      ? await lockCertificate(trx, certificateId)
      : null;
    if (!row)
      throw new PortalError("The certificate is not published at this entity any more.", {
        code: "not-found",
        status: 404,
        field: "certificateId",
      });
    const message = `Ended the publication of the certificate for ${row.commonName} at ${fullCode(code)} in the code register.`;
    await record(trx, code, row, { actor: user.actor, event: "code.certificate-ended", message }, now);
    const what = "The entity does not publish this certificate in the register any more.";
    await tellFollowers(trx, code, { what, certificates: [row] }, now);
    return row.commonName;
  });
}

/**
 * Publishes a certificate at the entities at which the certificate is published that it renews or replaces, if both belong to the same
 * company. The earlier one stays until it ends, is revoked, or its publication is ended.
 */
export async function takeOverEntities(
  trx: Trx,
  previous: CertificateRow,
  row: CertificateRow,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (previous.companyId !== row.companyId) return;
  const { id: certificateId, companyId, commonName } = row;
  for (const code of await listEntitiesOf(trx, previous.id)) {
    if (code.companyId !== companyId) continue;
    if (!(await insertEntityCertificate(trx, { codeId: code.id, certificateId, companyId, publishedAt: now })))
      continue;
    const message = `Published the certificate for ${commonName} at ${fullCode(code)} in the code register in the place of certificate ${previous.id}.`;
    await record(trx, code, row, { actor, event: "code.certificate-followed", message }, now);
    if (code.status !== "Registered") continue;
    const what = `The entity publishes a new certificate in the place of the one with the serial number ${colonHex(previous.serialNumber ?? "")}, which stays valid until it ends or is revoked.`;
    await tellFollowers(trx, code, { what, certificates: [row] }, now);
  }
}
