import { createPublicKey, randomBytes } from "node:crypto";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { createIssuingCertificate, createRootCertificate, HIERARCHIES } from "~/ca/hierarchies.server";
import { decryptPrivateKey, generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { softwareSigner } from "~/ca/signer.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { findAuthority, insertAuthority } from "~db/repositories/authorities.server";
import { type AuthorityName } from "~db/tables";
import { getAuthority } from "./authorities.service.server";
import { AUTHORITIES, type AuthorityEntry, rootOf } from "./catalogue";
import {
  adoptWaitingKey,
  caPassphrase,
  fingerprintNoted,
  keyFile,
  keyFingerprint,
  readKeyFile,
  removeWaitingKeys,
  writeWaitingKey,
} from "./key-files.server";
import { getSigner } from "./signers.server";
import { authorityUrls } from "./urls.server";

const HOUR_MS = 3_600_000;

export interface CreateAuthoritiesOptions {
  /** Modulus length of the keys. */
  bits?: number;
  now?: Date;
  /** Is told, in a sentence each, what is being done. */
  progress?: (sentence: string) => void;
}

/** The organisation stands before the CA's caption as long as both fit a common name (X.520: 64 characters). */
function subjectOf({ caption }: AuthorityEntry) {
  const { organisation, country } = getConfig().certificates;
  const named = `${organisation} ${caption}`;
  return { country, organisation, commonName: named.length <= 64 ? named : caption };
}

/** DER of the authority's certificate, self-signed or signed by its root. */
async function certify(entry: AuthorityEntry, keys: Awaited<ReturnType<typeof generateRsaKey>>, now: Date) {
  const { hash, rootYears, issuingYears } = HIERARCHIES[entry.hierarchy];
  const request = { subject: subjectOf(entry), spkiDer: spkiDerOf(keys.publicKey), now, random: randomBytes };
  if (entry.isRoot) {
    return createRootCertificate({ ...request, signer: softwareSigner(keys.privateKey, hash), years: rootYears });
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

const fingerprintOf = (certificate: Uint8Array) => keyFingerprint(readIssuer(certificate).publicKey);

/** Makes key and certificate. Out: false when another process stored this authority meanwhile. */
async function create(entry: AuthorityEntry, bits: number, now: Date): Promise<boolean> {
  const { name, hierarchy, isRoot } = entry;
  const keys = await generateRsaKey(bits);
  await writeWaitingKey(name, keys.privateKey);
  // An hour back, so that clocks that are a little slow, and certificates issued at once, find their CA already valid.
  const certificate = await certify(entry, keys, new Date(now.getTime() - HOUR_MS));
  const { subjectName, endDate } = describeCertificate(certificate);
  return insertAuthority(getDb(), {
    name,
    hierarchy,
    isRoot,
    certificate: Buffer.from(certificate),
    subjectName,
    notAfter: endDate,
    createdAt: now,
  });
}

/** Sees to it that a stored authority has its key in place: finishes what a crash left, refuses what does not fit. */
async function settle(name: AuthorityName, certificate: Uint8Array): Promise<void> {
  const fingerprint = fingerprintOf(certificate);
  const pem = await readKeyFile(name);
  if (pem) {
    const found = fingerprintNoted(pem) ?? keyFingerprint(createPublicKey(decryptPrivateKey(pem, caPassphrase())));
    if (found !== fingerprint) {
      throw new Error(
        `${keyFile(name)} is not the key of the CA '${name}' in the database. Put back what belongs together.`,
      );
    }
  } else if (!(await adoptWaitingKey(name, fingerprint))) {
    throw new Error(
      `${keyFile(name)} is missing, but the database knows the CA '${name}'. Put the key back from its safe copy.`,
    );
  }
  await removeWaitingKeys(name);
}

/**
 * Creates the two hierarchies as far as they do not exist: for each authority key, encrypted key file, certificate and row.
 * May be repeated after a crash at any point. Out: the names created now.
 * Throws Error when a key file has no authority, or an authority no key or another's; nothing is overwritten.
 */
export async function createAuthorities({
  bits = 4096,
  now = new Date(),
  progress = () => undefined,
}: CreateAuthoritiesOptions = {}): Promise<AuthorityName[]> {
  const created: AuthorityName[] = [];
  for (const entry of AUTHORITIES) {
    const { name, caption } = entry;
    // In this order: a key is put in its place after its authority is stored, perhaps by another process just now.
    const hasKey = (await readKeyFile(name)) !== null;
    if (!(await findAuthority(getDb(), name))) {
      if (hasKey) {
        throw new Error(
          `${keyFile(name)} exists, but the database knows no CA '${name}'. Restore the database, or move the file away.`,
        );
      }
      progress(`Creating the CA '${caption}' (RSA ${bits} bits, this can take a minute)`);
      if (await create(entry, bits, now)) created.push(name);
    }
    await settle(name, (await getAuthority(getDb(), name)).certificate);
  }
  return created;
}
