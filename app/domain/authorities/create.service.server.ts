import { randomBytes } from "node:crypto";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { createIssuingCertificate, createRootCertificate, HIERARCHIES } from "~/ca/hierarchies.server";
import { spkiDerOf } from "~/ca/keys.server";
import { type Actor, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { findAuthority, insertAuthority } from "~db/repositories/authorities.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type Authority, getAuthority, listAuthorities } from "./authorities.service.server";
import { FIRST_AUTHORITIES, type FirstAuthority, rootOf } from "./catalogue";
import { missingKeyHint } from "./key-files.server";
import { type WaitingKey } from "./key-store";
import { keyStoreOf } from "./key-stores.server";
import { ALWAYS } from "./life.policy";
import { getSigner } from "./signers.server";
import { authoritySubject } from "./subject.server";
import { authorityUrls } from "./urls.server";

const HOUR_MS = 3_600_000;

export interface CreateAuthoritiesOptions {
  /** Who creates them, for the audit trail. */
  actor?: Actor;
  /** The modulus length of the keys in bits. */
  bits?: number;
  now?: Date;
  /** Called with a sentence for each step. */
  progress?: (sentence: string) => void;
}

/** Returns the DER of the authority's certificate, self-signed or signed by its root. */
async function certify(entry: FirstAuthority, key: WaitingKey, now: Date) {
  const { hash, rootYears, issuingYears } = HIERARCHIES[entry.hierarchy];
  const request = {
    subject: authoritySubject(entry.caption),
    spkiDer: spkiDerOf(key.publicKey),
    now,
    random: randomBytes,
  };
  if (entry.isRoot) {
    return createRootCertificate({ ...request, signer: key.signer(hash), years: rootYears });
  }
  const root = rootOf(entry.hierarchy);
  const { crl, caIssuers, cps } = authorityUrls(root);
  return createIssuingCertificate({
    ...request,
    issuer: readIssuer((await getAuthority(getDb(), root)).certificate),
    signer: await getSigner(root, { allowRoot: true }),
    years: issuingYears,
    policy: { oid: getConfig().certificates.policyOid, cpsUri: cps },
    urls: { crl, caIssuers },
  });
}

/** Creates the certificate. Returns false when another process stored this authority in the meantime. */
async function create(first: FirstAuthority, key: WaitingKey, actor: Actor, now: Date): Promise<boolean> {
  const { name, hierarchy, isRoot, caption } = first;
  // The certificate starts an hour earlier, so that it is already valid for clocks that are a little slow and for certificates that are
  // issued at once.
  const certificate = await certify(first, key, new Date(now.getTime() - HOUR_MS));
  const { subjectName, endDate } = describeCertificate(certificate);
  return inTransaction(async (trx) => {
    const isNew = await insertAuthority(trx, {
      name,
      hierarchy,
      isRoot,
      caption,
      issuesFrom: isRoot ? null : ALWAYS,
      certificate: Buffer.from(certificate),
      subjectName,
      notAfter: endDate,
      createdAt: now,
    });
    const message = `The CA '${name}' was created: ${subjectName}.`;
    if (isNew) await recordAudit(trx, { actor, event: "authority.created", message, reference: name }, now);
    return isNew;
  });
}

/**
 * Makes sure that the key of a stored authority is in its store: completes what a crash interrupted, and refuses a key that does not match.
 * Only the key of a root may be missing, because it can be kept offline.
 */
async function settle({ name, isRoot, certificate }: Authority): Promise<void> {
  const store = keyStoreOf(name);
  if ((await store.settle(name, readIssuer(certificate).publicKey, certificate)) || isRoot) return;
  throw new Error(
    `${store.place(name)} is missing, but the database knows the CA '${name}'. To go on, ${await missingKeyHint(name)}`,
  );
}

/**
 * Begins to make the keys of the authorities that do not exist, all at the same time. Returns them by the name of the authority. Where a key
 * is there without its authority, waiting for it throws the Error that says so, after the authorities before it have been checked.
 */
async function beginKeys(
  bits: number,
  progress: (sentence: string) => void,
): Promise<Map<AuthorityName, Promise<WaitingKey>>> {
  const keys = new Map<AuthorityName, Promise<WaitingKey>>();
  for (const { name, caption } of FIRST_AUTHORITIES) {
    // The key is checked first: it moves to its final place after its authority is stored, perhaps by another process right now.
    const whyTaken = await keyStoreOf(name).whyTaken(name);
    if (await findAuthority(getDb(), name)) continue;
    if (whyTaken === null) progress(`Creating the CA '${caption}' (RSA ${bits} bits, this can take a minute)`);
    const key = whyTaken === null ? keyStoreOf(name).make(name, bits) : Promise.reject(new Error(whyTaken));
    key.catch(() => undefined); // whoever awaits it gets the error
    keys.set(name, key);
  }
  return keys;
}

/**
 * Creates the two hierarchies as far as they do not exist: for each authority a key in its store, a certificate and a row. Can be repeated
 * after a crash at any point. Returns the names of the authorities that were created now. Throws an Error when a key has no authority, or
 * when an authority has no key or a wrong one. Nothing is overwritten.
 */
export async function createAuthorities({
  actor = systemActor("set-up"),
  bits = 4096,
  now = new Date(),
  progress = () => undefined,
}: CreateAuthoritiesOptions = {}): Promise<AuthorityName[]> {
  const keys = await beginKeys(bits, progress);
  const created: AuthorityName[] = [];
  for (const entry of FIRST_AUTHORITIES) {
    const { name } = entry;
    const key = await keys.get(name);
    if (key && (await create(entry, key, actor, now))) created.push(name);
    await settle(await getAuthority(getDb(), name));
  }
  return created;
}

/** Makes sure that the key of every issuing CA that has not ended is in its store. Throws an Error when one is missing or a wrong one. */
export async function settleAuthorities(now = new Date()): Promise<void> {
  for (const authority of await listAuthorities(getDb()))
    if (!authority.isRoot && Date.parse(authority.notAfter) > now.getTime()) await settle(authority);
}
