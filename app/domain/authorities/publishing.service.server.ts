import { readIssuer } from "~/ca/certificate/issuer.server";
import { buildCrl } from "~/ca/crl/build.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { getDb, type Trx } from "~db/connection.server";
import { findLatestCrlSummary, insertCrl, type NewCrl } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type Authority, getAuthority } from "./authorities.service.server";
import { type ListContent, type ListPlan, planList, readListContent } from "./list-content.server";
import { listLife } from "./list-life";
import { getSigner } from "./signers.server";

interface PublishOptions {
  /** Only the command line opens root keys. */
  allowRoot?: boolean;
  /** Who publishes by hand, which is recorded; left out, the portal does so by itself. */
  actor?: Actor;
}

/** Lists carry whole seconds (RFC 5280 §5.1.2.4). */
const wholeSeconds = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);

/** Signs one list of the plan. */
async function signList(
  authority: Authority,
  { number, baseNumber }: ListPlan,
  { chunks, count }: ListContent,
  isDelta: boolean,
  now: Date,
  options: PublishOptions,
): Promise<NewCrl> {
  const thisUpdate = wholeSeconds(now);
  const nextUpdate = new Date(thisUpdate.getTime() + listLife(authority, isDelta).lifetimeMs);
  const der = await buildCrl({
    issuer: readIssuer(authority.certificate),
    signer: await getSigner(authority.name, options),
    number,
    ...(isDelta && { baseNumber }),
    thisUpdate,
    nextUpdate,
    entries: chunks,
  });
  return {
    authorityId: authority.id,
    isDelta,
    number,
    baseNumber: isDelta ? baseNumber : null,
    thisUpdate,
    nextUpdate,
    entryCount: count,
    der,
  };
}

/** A list with entries that no certificate of the database accounts for was imported: one without them would undo revocations. */
async function demandNoLoss({ id, name }: Authority, count: number): Promise<void> {
  const latest = await findLatestCrlSummary(getDb(), id, false);
  if (!latest || latest.entryCount <= count) return;
  throw new Error(`The list of '${name}' has entries from elsewhere: make the next one there, then 'ca import-list'.`);
}

const recordPublication = (trx: Trx, actor: Actor, name: AuthorityName, number: number, now: Date) =>
  recordAudit(
    trx,
    {
      actor,
      event: "authority.lists-published",
      message: `The lists of '${name}' were published by hand under the number ${number}.`,
      reference: name,
    },
    now,
  );

type Kind = "base" | "delta";

async function publish(
  name: AuthorityName,
  wanted: readonly Kind[],
  now: Date,
  options: PublishOptions,
): Promise<void> {
  const authority = await getAuthority(getDb(), name);
  await getSigner(name, options); // before a number is taken
  const plan = await inTransaction((trx) => planList(trx, authority.id, now));
  const kinds: readonly Kind[] =
    plan.baseNumber === plan.number && !wanted.includes("base") ? ["base", "delta"] : wanted;
  const content = await readListContent(plan, kinds.includes("base"));
  if (authority.isRoot) await demandNoLoss(authority, content.base.count);
  const lists = await Promise.all(
    kinds.map((kind) => signList(authority, plan, content[kind], kind === "delta", now, options)),
  );
  await inTransaction(async (trx) => {
    for (const list of lists) await insertCrl(trx, list);
    if (options.actor) await recordPublication(trx, options.actor, name, plan.number, now);
  });
}

/**
 * Publishes an authority's lists from the database: the base list and, for an issuing CA, the delta list of the same moment
 * under the same number (RFC 5280 §5.2.3). Resolves when both are stored, which is when they are served.
 * Everything that was committed before the call is on them. Not to be called in a transaction.
 */
export async function publishLists(name: AuthorityName, now = new Date(), options: PublishOptions = {}): Promise<void> {
  const { isRoot } = await getAuthority(getDb(), name);
  await publish(name, isRoot ? ["base"] : ["base", "delta"], now, options);
}

/** Publishes the delta list of an issuing CA alone; with a base list when there is no current one that it could add to. */
export const publishDelta = (name: AuthorityName, now = new Date()): Promise<void> => publish(name, ["delta"], now, {});
