import { recipientFor } from "~/domain/companies/recipient.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { codeEndedMail } from "~/domain/mail/templates/codes.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { type CodeRow } from "~db/repositories/codes.server";
import { fullCode, oftpIdentifier } from "../code-types";
import { findEntityByOftpId } from "./oftp-id.server";
import { listPublished, listUsableCarriers } from "./published.server";
import { tellFollowers } from "./telling.server";

/**
 * Tells whoever gets the messages about a code that was cancelled or has expired which certificates carry its OFTP ID, if any, and those who
 * follow the entity that its certificates are not in the register any more. Nothing is revoked by itself. Called in the transaction of the
 * change, with the code as it is now.
 */
export async function tellOfEnd(trx: Trx, code: CodeRow, now: Date): Promise<void> {
  const { status } = code;
  const what = `The code of the entity is ${status} now. No certificates of it are in the register any more.`;
  await tellFollowers(trx, code, { what, certificates: [] }, now);
  const carriers = await listUsableCarriers(trx, code, now);
  if (carriers.length === 0) return;
  const owner = await recipientFor(trx, code);
  if (owner.isDisabled) return;
  const mail = codeEndedMail({
    name: owner.firstName,
    entity: `${fullCode(code)}, ${code.entityName}`,
    status,
    oftpId: oftpIdentifier(code),
    certificates: carriers.map(({ id, commonName, expiryDate }) => ({ id, commonName, expiryDate: expiryDate ?? "" })),
    url: getEnv().publicUrl + paths.codeDetails({ code: code.id }),
  });
  await queueOwnMail(trx, owner.id, { dedupeKey: `code-ended:${code.id}:${now.getTime()}`, mail }, now);
}

/** Returns what the message that a certificate ends says about the code of its OFTP ID: in which state it is, and who sees the certificate. */
export async function codeOfEnding(
  db: DbOrTrx,
  { id, ssid, companyId }: { id: number; ssid: string | null; companyId: number },
  now: Date,
): Promise<string[]> {
  const code = await findEntityByOftpId(db, ssid);
  if (code?.companyId !== companyId) return [];
  const name = `${fullCode(code)}, ${code.entityName}`;
  if (code.status !== "Registered")
    return [
      `Its OFTP ID belongs to the code ${name}, which is ${code.status}. Renew the certificate only if you still use this OFTP ID.`,
    ];
  const isPublished = (await listPublished(db, [code.id], now)).some((published) => published.id === id);
  return isPublished
    ? [
        `It carries the OFTP ID of ${name}, at which it is published in the register. A renewal is published there by itself.`,
      ]
    : [`It carries the OFTP ID of ${name}.`];
}
