import { randomBytes, verify } from "node:crypto";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { encryptPrivateKey, generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { prepareResponderCertificate } from "~/ca/ocsp/responder-certificate.server";
import { type Actor, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { passphraseOf } from "~/domain/authorities/passphrases.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { getConfig } from "~/lib/config.server";
import { addDays, DAY, formatDate } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import {
  eraseResponderKeys,
  findUnsignedResponder,
  findUsableResponder,
  insertResponder,
  newestGeneration,
  type OcspResponderRow,
  storeResponderCertificate,
} from "~db/repositories/ocsp-responders.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { opens } from "./open-responder.server";

/** How many days the certificate of a responder is valid. It is short-lived because nobody can revoke it (docs/decisions/0013). */
export const RESPONDER_LIFE_DAYS = 30;
/** How many days before its end the certificate is renewed. */
export const RENEWAL_DAYS = 10;
/** How many days before its end a certificate that was not renewed is reported. */
export const RESPONDER_WARNING_DAYS = RENEWAL_DAYS / 2;
/** The key length in bits. It is sufficient for 30 days, and signs three times as fast as the 3072 bits of keys that must last longer. */
export const KEY_BITS = 2048;
const HOUR_MS = DAY / 24;

const earlier = (a: Date, b: Date) => (a < b ? a : b);

/** Returns the subject of the OCSP responder of the CA with this caption. */
export function responderSubject(caption: string) {
  const { organisation, country } = getConfig().certificates;
  return { country, organisation, commonName: `${caption} OCSP` };
}

interface Renewal {
  /** Makes new responders now. */
  force?: boolean;
  /** Opens the key of each responder, which takes a quarter of a second, and replaces those that RESPONDER_PASSPHRASE does not open. */
  opensKeys?: boolean;
  /** The CAs to look at. All when it is not given. */
  only?: readonly AuthorityName[];
  /** Who renews them by hand, for the audit trail. */
  actor?: Actor;
}

/** Returns whether there is no responder, one that cannot be opened, or only one that ends soon and earlier than a new one would. */
async function isDue({ id, notAfter }: Authority, now: Date, { opensKeys = false }: Renewal): Promise<boolean> {
  const usable = await findUsableResponder(getDb(), id, now);
  if (!usable || (opensKeys && !opens(usable))) return true;
  const end = new Date(usable.notAfter);
  return end < addDays(now, RENEWAL_DAYS) && end < earlier(new Date(notAfter), addDays(now, RESPONDER_LIFE_DAYS));
}

/** Creates a key and records the certificate to be signed. Does nothing when another process was faster. */
async function record(authority: Authority, now: Date): Promise<void> {
  const generation = (await newestGeneration(getDb(), authority.id)) + 1;
  const { privateKey, publicKey } = await generateRsaKey(KEY_BITS);
  const { serial, tbs, notBefore, notAfter } = prepareResponderCertificate({
    issuer: readIssuer(authority.certificate),
    hash: HIERARCHIES[authority.hierarchy].hash,
    subject: responderSubject(authority.caption),
    spkiDer: spkiDerOf(publicKey),
    // The certificate starts an hour earlier, so that clocks that are a little slow accept it.
    notBefore: new Date(now.getTime() - HOUR_MS),
    notAfter: addDays(now, RESPONDER_LIFE_DAYS),
    random: randomBytes,
  });
  const row = {
    authorityId: authority.id,
    generation,
    serialNumber: serial,
    privateKey: await encryptPrivateKey(privateKey, passphraseOf("responder"), randomBytes),
    tbsCertificate: Buffer.from(tbs),
    notBefore,
    notAfter,
    createdAt: now,
  };
  await inTransaction((trx) => insertResponder(trx, row));
}

/** Signs the recorded certificate and stores it, unless another process has stored it. Returns whether this call stored it. */
async function certify(
  authority: Authority,
  responder: OcspResponderRow,
  now: Date,
  actor: Actor = systemActor("ocsp"),
): Promise<boolean> {
  const { id, tbsCertificate: tbs, serialNumber, notAfter } = responder;
  const signer = await getSigner(authority.name);
  const signature = await signer.sign(tbs);
  if (!verify(signer.hash, tbs, readIssuer(authority.certificate).publicKey, signature)) {
    throw new Error(`The signature of '${authority.name}' on its OCSP responder's certificate is wrong.`);
  }
  const certificate = Buffer.from(assembleCertificate(tbs, signature, signer.hash));
  return inTransaction(async (trx) => {
    if (!(await storeResponderCertificate(trx, id, certificate))) return false;
    const message = `The OCSP responder of '${authority.name}' has a certificate until ${formatDate(notAfter)}.`;
    await recordAudit(trx, { actor, event: "ocsp.responder-certified", message, reference: serialNumber }, now);
    return true;
  });
}

async function renew(authority: Authority, now: Date, wanted: Renewal): Promise<boolean> {
  await getSigner(authority.name); // a missing key stops the renewal before anything is recorded
  const finish = async () => {
    const unsigned = await findUnsignedResponder(getDb(), authority.id, now);
    return unsigned !== null && certify(authority, unsigned, now, wanted.actor);
  };
  const isFinished = await finish(); // completes what a crash interrupted
  if (!wanted.force && !(await isDue(authority, now, wanted))) return isFinished;
  await record(authority, now);
  return finish();
}

/**
 * Makes sure that every issuing CA has an OCSP responder with a valid certificate, and erases the keys of expired ones. Runs at set-up and
 * as a job, in any number of processes. One process creates the next responder. What a crash interrupted is signed again, which gives the
 * same certificate. Returns the CAs that got a new responder in this call.
 */
export async function renewResponders(now = new Date(), wanted: Renewal = {}): Promise<AuthorityName[]> {
  const renewed: AuthorityName[] = [];
  for (const authority of await listAuthorities(getDb())) {
    if (authority.isRoot || new Date(authority.notAfter) <= now) continue;
    if (wanted.only && !wanted.only.includes(authority.name)) continue;
    if (await renew(authority, now, wanted)) renewed.push(authority.name);
  }
  await eraseResponderKeys(getDb(), addDays(now, -1));
  return renewed;
}

/**
 * Returns when the responder of each issuing CA ends, as an ISO timestamp. Null means that the CA has no responder and every request is
 * answered with tryLater.
 */
export async function listResponderEnds(now = new Date()): Promise<{ name: AuthorityName; notAfter: string | null }[]> {
  const issuing = (await listAuthorities(getDb())).filter(
    ({ isRoot, notAfter }) => !isRoot && Date.parse(notAfter) > now.getTime(),
  );
  return Promise.all(
    issuing.map(async ({ id, name }) => ({
      name,
      notAfter: (await findUsableResponder(getDb(), id, now))?.notAfter ?? null,
    })),
  );
}
