import { readIssuer } from "~/ca/certificate/issuer.server";
import { buildCrl } from "~/ca/crl/build.server";
import { CaError } from "~/ca/errors.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { getDb, type Trx } from "~db/connection.server";
import { findLatestCrlSummary, insertCrl, type NewCrl } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type Authority, getAuthority } from "./authorities.service.server";
import { isRootName } from "./catalogue";
import { type CrlContent, type CrlPlan, planCrl, readCrlContent } from "./crl-content.server";
import { crlLife } from "./crl-life";
import { getSigner } from "./signers.server";

interface PublishOptions {
  /** Whether root keys may be opened. Only the command line sets this. */
  allowRoot?: boolean;
  /** Who publishes by hand, which is recorded. Undefined when the portal publishes by itself. */
  actor?: Actor;
}

/** Rounds down to whole seconds, as CRLs have them (RFC 5280 §5.1.2.4). */
const wholeSeconds = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);

/** Signs one CRL of the plan. */
async function signCrl(
  authority: Authority,
  { number, baseNumber }: CrlPlan,
  { entries, count }: CrlContent,
  isDelta: boolean,
  now: Date,
  options: PublishOptions,
): Promise<NewCrl> {
  const thisUpdate = wholeSeconds(now);
  const nextUpdate = new Date(thisUpdate.getTime() + crlLife(authority, isDelta).lifetimeMs);
  const der = await buildCrl({
    issuer: readIssuer(authority.certificate),
    signer: await getSigner(authority.name, options),
    number,
    ...(isDelta && { baseNumber }),
    thisUpdate,
    nextUpdate,
    entries,
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

/**
 * Throws when an imported CRL has entries for certificates that are not in this database. A CRL without these entries would undo
 * revocations.
 */
async function requireNoLoss({ id, name }: Authority, count: number): Promise<void> {
  const latest = await findLatestCrlSummary(getDb(), id, false);
  if (!latest || latest.entryCount <= count) return;
  throw new Error(`The CRL of '${name}' has entries from elsewhere: make the next CRL there, then 'ca import-list'.`);
}

const recordPublication = (trx: Trx, actor: Actor, name: AuthorityName, number: number, now: Date) =>
  recordAudit(
    trx,
    {
      actor,
      event: "authority.lists-published",
      message: `The CRLs of '${name}' were published by hand under the number ${number}.`,
      reference: name,
    },
    now,
  );

type Kind = "base" | "delta";

async function publishOnce(
  name: AuthorityName,
  wanted: readonly Kind[],
  now: Date,
  options: PublishOptions,
): Promise<void> {
  const authority = await getAuthority(getDb(), name);
  await getSigner(name, options); // before a number is taken
  const plan = await planCrl(authority.id, now);
  const kinds: readonly Kind[] =
    plan.baseNumber === plan.number && !wanted.includes("base") ? ["base", "delta"] : wanted;
  const { base, delta } = await readCrlContent(plan, kinds.includes("base"));
  if (authority.isRoot) await requireNoLoss(authority, base?.count ?? 0);
  const crls = await Promise.all([
    ...(base ? [signCrl(authority, plan, base, false, now, options)] : []),
    ...(kinds.includes("delta") ? [signCrl(authority, plan, delta, true, now, options)] : []),
  ]);
  await inTransaction(async (trx) => {
    for (const crl of crls) await insertCrl(trx, crl);
    if (options.actor) await recordPublication(trx, options.actor, name, plan.number, now);
  });
}

/** How often a publication takes a new number. Each time somebody else has published in the meantime. */
const MOST_NUMBERS = 10;

/**
 * Publishes CRLs. When two are made at once and the signer gets the higher number first, it refuses the lower one. The higher one may not be
 * stored yet and may be lost in a crash, so the CRL is made again under a new number.
 */
async function publish(
  name: AuthorityName,
  wanted: readonly Kind[],
  now: Date,
  options: PublishOptions,
): Promise<void> {
  for (let numbers = 1; ; numbers += 1) {
    try {
      return await publishOnce(name, wanted, now, options);
    } catch (error) {
      if (!(error instanceof CaError && error.code === "signer-older-crl") || numbers === MOST_NUMBERS) throw error;
    }
  }
}

/**
 * Publishes the CRLs of an authority from the database: the base CRL and, for an issuing CA, the delta CRL of the same time with the same
 * number (RFC 5280 §5.2.3). Resolves when both are stored; they are served from then on. They contain everything that was committed before
 * the call. Must not be called in a transaction.
 */
export const publishCrls = (name: AuthorityName, now = new Date(), options: PublishOptions = {}): Promise<void> =>
  publish(name, isRootName(name) ? ["base"] : ["base", "delta"], now, options);

/** Publishes only the delta CRL of an issuing CA. When there is no current base CRL that it could add to, a base CRL is published too. */
export const publishDelta = (name: AuthorityName, now = new Date()): Promise<void> => publish(name, ["delta"], now, {});
