import { certificateKeyIdentity } from "~/ca/certificate/parse.server";
import { TASKS } from "~/domain/accounts/rights.policy";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { listKeyOwners } from "~/domain/keys/key-owners.server";
import { tellStaff } from "~/domain/keys/key-report.server";
import { isTaken } from "~/domain/keys/key-use.policy";
import { consumeTry } from "~/domain/limits/tries.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { keyReportedMail } from "~/domain/mail/templates/keys.server";
import { orderNumber } from "~/domain/orders/order-number";
import { type Client } from "~/domain/security-events/client";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { blockKey, isKeyBlocked, lockKey } from "~db/repositories/blocked-keys.server";
import { type CertificateRow, listCertificatesOfKey } from "~db/repositories/certificates.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { inTransaction } from "~db/transaction.server";
import { REVOCABLE } from "../../certificates.policy";
import { type SentCsr } from "../../request/sent-csr.server";
import { listUnlisted, publishRevocation } from "../publishing.server";
import { KEY_COMPROMISED } from "../reasons";
import { planRevocation } from "../revocation.policy";
import { revokeAllOfKey } from "../storage.server";
import { proofByCsr, proofBySignature, type ProvedKey, type SignedChallenge } from "./proof.server";

/** What somebody sends to prove that they hold a private key, in one of two ways. The CSR takes precedence. */
export interface SentProof {
  /** Null when none was sent. */
  csr: SentCsr | null;
  signed: SignedChallenge;
}

/** A certificate as everybody may see it: the key's holder has it, and so has each partner. */
export interface ReportedCertificate {
  commonName: string;
  /** Hexadecimal pairs with colons. */
  serialNumber: string;
  /** An ISO timestamp. */
  expiryDate: string;
}

/** What a report of a key changes. */
export interface KeyHits {
  /** The certificates in force that it revokes. */
  certificates: ReportedCertificate[];
  /** Whether the key was reported or blocked before. */
  isBlocked: boolean;
}

export interface ReportOutcome {
  revoked: ReportedCertificate[];
  /** What went wrong after the certificates were revoked, or null. */
  problem: string | null;
}

const reported = ({ commonName, serialNumber, expiryDate }: CertificateRow): ReportedCertificate => ({
  commonName,
  serialNumber: colonHex(serialNumber ?? ""),
  expiryDate: expiryDate ?? "",
});

/** Refuses the key of a CA of this portal, which only its operators can revoke, and tells staff. Throws a PortalError. */
async function refuseAuthority({ keyIdentity }: ProvedKey, now: Date): Promise<void> {
  const authorities = await listAuthorities(getDb());
  const authority = authorities.find(({ certificate }) => certificateKeyIdentity(certificate) === keyIdentity);
  if (!authority) return;
  const report = {
    subject: `The private key of the CA '${authority.name}' is compromised`,
    text: "Somebody without an account has proved to have the private key of the CA below. Follow 'When the key of an issuing CA is compromised' in docs/operations.md at once.",
    lines: [`${authority.caption} (${authority.name})`],
  };
  await inTransaction((trx) => tellStaff(trx, report, now, TASKS["run-jobs"].rights));
  throw new PortalError(
    `This is the key of the CA ${authority.caption}. Its operators have been told and revoke it themselves. Please call them as well.`,
    { code: "key-proof.authority" },
  );
}

function readProof({ csr, signed }: SentProof, now: Date): ProvedKey {
  if (csr) return proofByCsr(csr, now);
  if (signed.signature.trim() !== "" || signed.publicKey.trim() !== "") return proofBySignature(signed, now);
  const message = "Paste a CSR with the challenge as its common name, or a signature over the challenge further below.";
  throw new PortalError(message, { code: "key-proof", field: "csr" });
}

/**
 * Reads and verifies a proof. Consumes a try of the network.
 *
 * @throws PortalError for the field that is wrong, 429 when there were too many tries, or when the key is that of a CA. Staff have been told
 * then.
 */
export async function requireKeyProof(sent: SentProof, network: string, now = new Date()): Promise<ProvedKey> {
  await consumeTry("key-proof-address", network);
  const proof = readProof(sent, now);
  await refuseAuthority(proof, now);
  return proof;
}

/** Returns what the report of a key would change, and changes nothing. */
export async function findKeyHits({ keyIdentity }: ProvedKey): Promise<KeyHits> {
  const [rows, isBlocked] = await Promise.all([
    listCertificatesOfKey(getDb(), keyIdentity, REVOCABLE),
    isKeyBlocked(getDb(), keyIdentity),
  ]);
  return { certificates: rows.map(reported), isBlocked };
}

/** Informs the owners of further certificates and orders with the key: those that had ended before, and orders that are still open. */
async function tellOthers(
  trx: Trx,
  keyIdentity: string,
  others: Awaited<ReturnType<typeof listKeyHolders>>,
  now: Date,
): Promise<void> {
  for (const { account, certificates } of await listKeyOwners(trx, others)) {
    const name = `${account.firstName} ${account.lastName}`;
    const mail = keyReportedMail({ name, certificates, url: getEnv().publicUrl + paths.certificates });
    await queueOwnMail(trx, account.id, { dedupeKey: `key-reported:${keyIdentity}:${account.id}`, mail }, now);
  }
}

const DESCRIPTION = "Somebody proved, without an account, to have the private key, and reported it as compromised.";

const count = (number: number) => `${number} ${number === 1 ? "certificate was" : "certificates were"} revoked`;

/** Stores the report in the transaction of the caller, who has locked the key. Returns the certificates that were revoked. */
async function storeReport(trx: Trx, { keyIdentity, evidence }: ProvedKey, actor: Actor, now: Date) {
  const wasBlocked = await isKeyBlocked(trx, keyIdentity);
  await blockKey(trx, keyIdentity, "Reported as compromised with a proof of possession", now);
  const { revocationDate, invalidityDate } = planRevocation(now, now);
  const revocation = {
    revocationDate,
    invalidityDate,
    revocationReason: KEY_COMPROMISED,
    revocationDescription: DESCRIPTION,
    revokedBy: null,
  };
  const revoked = await revokeAllOfKey(trx, keyIdentity, revocation, actor, now);
  if (wasBlocked && revoked.length === 0) return revoked;
  const message = `The public key was reported as compromised with a proof of possession and blocked for ever: ${keyIdentity}. ${count(revoked.length)}. The proof: ${evidence}.`;
  await recordAudit(trx, { actor, event: "key.reported", message }, now);
  const others = (await listKeyHolders(trx, keyIdentity)).filter(
    (holder) => isTaken(holder) && !revoked.some(({ id }) => id === holder.id),
  );
  await tellOthers(trx, keyIdentity, others, now);
  const text =
    "Somebody without an account has proved to have the private key below and reported it as compromised. It is blocked, its certificates in force are revoked, and no order with it can be approved. Reject the open orders below, if there are any.";
  const lines = [
    `Key ${keyIdentity}`,
    ...revoked.map(({ id, orderId, commonName }) => `Certificate ${id}, order ${orderNumber(orderId)}, ${commonName}`),
    ...others
      .filter(({ status }) => status === "Pending")
      .map(({ orderId, commonName }) => `Open order ${orderNumber(orderId)}, ${commonName}`),
  ];
  await tellStaff(trx, { subject: "A key was reported as compromised", text, lines }, now);
  return revoked;
}

/**
 * Blocks a key for ever and revokes all its certificates as compromised, whoever owns them. Owners and staff are told by email. The
 * certificates are on the published base and delta CRLs before the promise resolves; otherwise `problem` says what went wrong. A report of a
 * key that was reported before revokes nothing more, and publishes what is not on the lists yet.
 *
 * @param proof The result of `requireKeyProof`.
 * @param client The client of the request, for the audit trail.
 */
export async function reportKey(proof: ProvedKey, client: Client, now = new Date()): Promise<ReportOutcome> {
  const { keyIdentity } = proof;
  const actor: Actor = { id: null, name: "holder of the private key", client };
  const { revoked, missing } = await inTransaction(async (trx) => {
    await lockKey(trx, keyIdentity);
    const earlier = await listUnlisted(trx, keyIdentity);
    return { missing: earlier, revoked: await storeReport(trx, proof, actor, now) };
  });
  return { revoked: revoked.map(reported), problem: await publishRevocation([...revoked, ...missing], now) };
}
