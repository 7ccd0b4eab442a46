import { sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import {
  chainKeys,
  type ChainKey,
  findKey,
  checkpointKeyFingerprint,
  newestKey,
} from "~/domain/audit/chain-keys.server";
import { toLine } from "~/domain/audit/checkpoint-file.server";
import { verifyAndSign } from "~/domain/audit/checkpoint.service.server";
import { POLICIES } from "~/domain/repository/policies/catalogue";
import { policyPdf } from "~/domain/repository/policies/policies.service.server";
import { policyFingerprint } from "~/domain/repository/policies/source.server";
import { recordPolicies } from "~/domain/repository/policies/versions.service.server";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { evidencePaths } from "~/lib/evidence-paths";
import { inTurn } from "~/lib/in-turn.server";
import { inTransaction } from "~db/transaction.server";
import { addCertificates, type PackedCertificates } from "./certificates.server";
import { findContents, MOST_IN_PACK, MOST_ENTRIES, type PackContents } from "./contents.server";
import { EntryLines, unsound } from "./entries.server";
import { isAsked, type PackErrors, type PackQuery } from "./pack-query";
import { packReadme } from "./readme.server";
import { MOST_DAYS } from "./scope.server";
import { ZipFile } from "./zip-file.server";

/** Names the kind of the manifest, so that nothing else that the key signs is valid as one. */
const KIND = "marque.evidence-pack.1";
const VERIFIER = "evidence/verify.mjs";

const pemOf = ({ checkpoints }: ChainKey) => checkpoints.publicKey.export({ type: "spki", format: "pem" });

/** What the page says about the pack that was asked for. */
export interface PackPlan {
  title: string;
  text: string;
  /** Makes the pack. */
  href: string;
}

const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

function planOf({ scope, certificateIds, entryIds }: PackContents, query: PackQuery): PackPlan {
  const certificates = counted(certificateIds.length, "order of a certificate", "orders of certificates");
  return {
    title: `Pack: ${scope.text}`,
    text: `It contains ${certificates}, ${counted(entryIds.length, "audit entry", "audit entries")}, the certificates, CSRs, CRLs and OCSP answers, the policies in force, and a program that verifies all of it. It can take a minute. Making it is recorded in the audit trail.`,
    href: evidencePaths.file(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""))),
  };
}

const INTRODUCTION =
  "A pack is a ZIP archive that proves what the portal recorded about a certificate, a company or a period. It is verified without the portal.";

const notesOf = (): string[] => [
  `A period alone has at most ${MOST_DAYS} days. With a certificate or a company it can be longer. A pack has at most ${MOST_ENTRIES.toLocaleString("en-GB")} audit entries and ${MOST_IN_PACK.toLocaleString("en-GB")} certificates.`,
  "The README.html of a pack says how to verify each part with openssl and sha256sum, and all of it with a program that is in the pack.",
  `Packs are signed. SHA-256 fingerprint of the key: ${chainKeys().map(checkpointKeyFingerprint).join("; of the key before: ")}. Note it, so that you need not take it from a pack.`,
];

/** Returns what the page says about packs, and what the asked pack would contain or why there can be none. */
export async function planPack(query: PackQuery) {
  const found = isAsked(query) ? await findContents(query) : null;
  const errors: PackErrors = found && "errors" in found ? found.errors : {};
  return {
    query,
    plan: found && !("errors" in found) ? planOf(found, query) : null,
    errors,
    introduction: INTRODUCTION,
    notes: notesOf(),
  };
}

/** Returns what the asked pack contains. Throws a PortalError for the field when there can be none. */
async function requireContents(query: PackQuery): Promise<PackContents> {
  const found = await findContents(query);
  if (!("errors" in found)) return found;
  const [[field, message] = ["certificate", ""]] = Object.entries(found.errors);
  throw new PortalError(message, { code: "evidence.scope", field });
}

/** Signs a checkpoint, so that one covers every entry that there is. Throws a PortalError when the trail is not sound. */
async function coverTrail(now: Date): Promise<void> {
  try {
    await verifyAndSign(now);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("The audit trail is not sound"))
      throw unsound(error.message);
    throw error;
  }
}

async function addPolicies(zip: ZipFile) {
  const { version, date } = getConfig().policies;
  const packed: { title: string; file: string; version: string; inForceFrom: string; fingerprint: string }[] = [];
  for (const entry of POLICIES) {
    const file = `policies/${entry.name}.pdf`;
    await zip.add(file, await policyPdf(entry));
    packed.push({ title: entry.title, file, version, inForceFrom: date, fingerprint: policyFingerprint(entry.name) });
  }
  return packed;
}

async function addTrail(zip: ZipFile, entryIds: readonly number[]): Promise<EntryLines> {
  const lines = new EntryLines();
  await zip.addParts("audit/entries.ndjson", lines.of(entryIds));
  const checkpoints = [...lines.checkpoints.values()];
  const proofs = checkpoints.map((checkpoint) => `${JSON.stringify(toLine(checkpoint))}\n`);
  await zip.add("audit/checkpoints.jsonl", proofs.join(""));
  const keys = new Set([newestKey(), ...checkpoints.flatMap(({ keyId }) => findKey(keyId) ?? [])]);
  for (const key of keys) await zip.add(`audit/keys/${key.id}.pem`, pemOf(key));
  return lines;
}

const sums = (files: ReadonlyMap<string, string>) => [...files].map(([path, hash]) => `${hash}  ${path}\n`).join("");

/** Adds the list of all files with their hashes and what the pack is about, and its signature. */
async function addManifest(zip: ZipFile, stated: object): Promise<void> {
  const key = newestKey();
  const manifest = { kind: KIND, ...stated, keyId: key.id, files: Object.fromEntries(zip.files) };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  await zip.add("manifest.json", bytes);
  await zip.add("manifest.sig", sign(null, bytes, key.checkpoints.privateKey));
}

interface Made {
  zip: ZipFile;
  sha256: string;
  certificates: PackedCertificates["certificates"];
  entries: number;
}

async function write(zip: ZipFile, contents: PackContents, actor: Actor, now: Date): Promise<Omit<Made, "zip">> {
  const { scope, certificateIds, entryIds } = contents;
  const about = {
    portal: getEnv().publicUrl,
    authority: getConfig().branding.mailName,
    madeAt: now.toISOString(),
    madeBy: actor.name,
    scope: {
      text: scope.text,
      certificateId: scope.certificate?.id ?? null,
      companyId: scope.companyId,
      from: scope.from,
      before: scope.before,
    },
  };
  const packed = await addCertificates(zip, certificateIds, now);
  const trail = await addTrail(zip, entryIds);
  const policies = await addPolicies(zip);
  await zip.add("verify.mjs", await readFile(resolve(VERIFIER)));
  const entries = { count: trail.count, ranges: trail.ranges };
  const stated = { ...about, orders: certificateIds.length, ...packed, entries, policies };
  await zip.add("README.html", packReadme({ ...stated, fingerprint: checkpointKeyFingerprint(newestKey()) }));
  await zip.add("SHA256SUMS", sums(zip.files));
  await addManifest(zip, stated);
  return { sha256: await zip.end(), certificates: packed.certificates, entries: trail.count };
}

async function make(query: PackQuery, actor: Actor, now: Date): Promise<ZipFile> {
  await recordPolicies(now);
  const contents = await requireContents(query);
  await coverTrail(now);
  const zip = await ZipFile.create(now);
  try {
    const { sha256, certificates, entries } = await write(zip, contents, actor, now);
    const { scope } = contents;
    const message = `Evidence pack made: ${scope.text}. Certificates: ${certificates.length}, audit entries: ${entries}. SHA-256 of the archive: ${sha256}.`;
    const about = scope.certificate && { certificateId: scope.certificate.id, orderId: scope.certificate.orderId };
    const entry = { actor, event: "evidence.pack-made", message, reference: `sha256:${sha256}`, ...about };
    await inTransaction((trx) => recordAudit(trx, entry, now));
    return zip;
  } catch (error) {
    await zip.remove();
    throw error;
  }
}

/**
 * Makes an evidence pack and records it with the hash of the archive. Each process makes one at a time. Returns the archive, which has to be
 * read, because that removes its temporary file. Throws a PortalError when the query is wrong or asks for too much (`field` names what to
 * change), and one (409) when the audit trail is not sound.
 */
export async function makePack(query: PackQuery, actor: Actor, now = new Date()) {
  const zip = await inTurn("evidence-pack", () => make(query, actor, now));
  const day = now.toISOString().slice(0, 10);
  return { content: zip.read(), mediaType: "application/zip", fileName: `evidence-pack-${day}.zip` };
}
