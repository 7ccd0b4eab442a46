import { may } from "~/domain/accounts/rights.policy";
import { staffRightsOf } from "~/domain/accounts/staff-rights.server";
import { type AccountMail, queueToAccounts } from "~/domain/mail/queue.service.server";
import { entityChangedMail } from "~/domain/mail/templates/codes.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { getEnv } from "~/lib/env.server";
import { colonHex } from "~/lib/hex";
import { type Trx } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type CodeRow } from "~db/repositories/codes.server";
import { findCompany } from "~db/repositories/companies.server";
import { listEntitiesOf } from "~db/repositories/entity-certificates.server";
import { listFollowers } from "~db/repositories/entity-followers.server";
import { listUsersById } from "~db/repositories/users.server";
import { fullCode } from "../code-types";
import { stopFollowingUrl } from "./stop-link.server";

/** How many messages one statement stores. */
const AT_ONCE = 500;

type Told = Pick<CertificateRow, "id" | "commonName" | "serialNumber" | "thumbprintSha256" | "expiryDate">;

/** What changed at an entity, as a sentence, and the certificates that it is about. */
interface EntityChange {
  what: string;
  certificates: readonly Told[];
}

/**
 * Tells those who follow an entity of a change, each in one message. Whoever may not search the register any more is left out: somebody who
 * has left the company for which they follow, or whose company has no code, unless they are staff.
 */
export async function tellFollowers(
  trx: Trx,
  code: CodeRow,
  { what, certificates }: EntityChange,
  now: Date,
): Promise<void> {
  const followers = await listFollowers(trx, code.id);
  if (followers.length === 0) return;
  const company = (await findCompany(trx, code.companyId))?.name ?? "";
  const { publicUrl } = getEnv();
  const change = `${certificates.map(({ id }) => id).join(",") || "code"}:${now.getTime()}`;
  const about = {
    entity: `${fullCode(code)}, ${code.entityName}`,
    company,
    what,
    certificates: certificates.map(({ commonName, serialNumber, thumbprintSha256, expiryDate }) => ({
      commonName,
      serialNumber: colonHex(serialNumber ?? ""),
      sha256: colonHex(thumbprintSha256 ?? ""),
      expiryDate: expiryDate ?? "",
    })),
    url: publicUrl + certificatePaths.entity(code.id),
  };
  for (let start = 0; start < followers.length; start += AT_ONCE) {
    const some = followers.slice(start, start + AT_ONCE);
    const users = await listUsersById(
      trx,
      some.map(({ userId }) => userId),
    );
    const mails: AccountMail[] = [];
    for (const { id, userId, hasCode } of some) {
      const account = users.find((user) => user.id === userId);
      if (!account || !(hasCode || may({ rights: await staffRightsOf(trx, account) }, "see-customers"))) continue;
      const mail = entityChangedMail({ ...about, name: account.firstName, stopUrl: stopFollowingUrl(id) });
      mails.push({ account, dedupeKey: `entity-changed:${id}:${change}`, mail });
    }
    await queueToAccounts(trx, mails, now);
  }
}

/** Tells those who follow the registered entities at which a certificate is published that it is revoked, or is about to be. */
export async function tellOfRevocation(trx: Trx, row: CertificateRow, what: string, now: Date): Promise<void> {
  for (const code of await listEntitiesOf(trx, row.id))
    if (code.status === "Registered") await tellFollowers(trx, code, { what, certificates: [row] }, now);
}
