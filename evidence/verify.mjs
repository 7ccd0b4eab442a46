#!/usr/bin/env node
// Verifies an evidence pack without the portal, without a network and without other software: it needs only Node 20 or newer.
//
//   node verify.mjs [FOLDER] [--key SHA256] [--checkpoints FILE]
//
// FOLDER is the unpacked archive; without it, the folder of this file. --key is the fingerprint of the portal's key, which you have from
// the portal's page or its operator and not from the pack. --checkpoints is a copy of checkpoints that was kept elsewhere.
// Every problem is printed as a line of its own. The exit status is 0 when there is none, and otherwise 1.

import { createHash, createHmac, createPublicKey, verify, X509Certificate } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const KIND = "marque.evidence-pack.1";
const UNLISTED = ["manifest.json", "manifest.sig"];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: "string" }, checkpoints: { type: "string" } },
});
const folder = positionals[0] ?? dirname(fileURLToPath(import.meta.url));

const problems = [];
const problem = (text) => problems.push(text);
const say = (text) => process.stdout.write(`${text}\n`);

const sha256 = (bytes) => createHash("sha256").update(bytes).digest();
const read = (path) => readFileSync(join(folder, ...path.split("/")));

/** Returns the bytes of a file of the pack, or null when it cannot be read, which is reported elsewhere. */
function tryRead(path) {
  try {
    return read(path);
  } catch {
    return null;
  }
}

// ---- the manifest and the files ----

/** Returns the paths of all files in the folder, with forward slashes. */
function listFiles(below = folder) {
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    return entry.isDirectory() ? listFiles(path) : [relative(folder, path).split(sep).join("/")];
  });
}

async function hashFile(path) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(join(folder, ...path.split("/")))) hash.update(chunk);
  return hash.digest("hex");
}

function readManifest() {
  const bytes = read("manifest.json");
  const manifest = JSON.parse(bytes.toString("utf8"));
  if (manifest.kind !== KIND) throw new Error(`manifest.json is not that of an evidence pack of the kind ${KIND}.`);
  return { bytes, manifest };
}

const fingerprintOf = (key) => sha256(key.export({ type: "spki", format: "der" })).toString("hex");
const plainHex = (text) => text.replace(/[^0-9a-f]/gi, "").toLowerCase();

/** Returns the public keys of the pack by their names. */
function readKeys() {
  const keys = new Map();
  for (const path of listFiles().filter((name) => /^audit\/keys\/[0-9a-f]{16}\.pem$/.test(name))) {
    try {
      keys.set(path.slice("audit/keys/".length, -".pem".length), createPublicKey(read(path)));
    } catch {
      problem(`${path} is no public key: changed.`);
    }
  }
  return keys;
}

function verifyManifest(bytes, manifest, keys) {
  const key = keys.get(manifest.keyId);
  const signature = tryRead("manifest.sig");
  if (!key) return problem(`The key ${manifest.keyId} of the manifest is not in audit/keys.`);
  if (!signature || !verify(null, bytes, key, signature))
    problem("manifest.json is not what the portal signed: changed.");
  const fingerprint = fingerprintOf(key);
  say(`Key of the portal: ${fingerprint}`);
  if (options.key === undefined)
    say("Compare this fingerprint with the one that the portal shows, or give it with --key.");
  else if (plainHex(options.key) !== fingerprint)
    problem(
      "The manifest is signed with another key than the one given with --key: forged, or signed before the key was changed.",
    );
}

async function verifyFiles(manifest) {
  const present = new Set(listFiles());
  for (const [path, expected] of Object.entries(manifest.files)) {
    if (!present.has(path)) problem(`${path} is missing: removed.`);
    else if ((await hashFile(path)) !== expected) problem(`${path} is not what the manifest states: changed.`);
  }
  for (const path of present)
    if (!UNLISTED.includes(path) && !Object.hasOwn(manifest.files, path))
      problem(`${path} is not in the manifest: added.`);
  say(`Files: ${Object.keys(manifest.files).length}`);
}

// ---- certificates, CRLs and OCSP answers ----

/** Reads one DER element at this place: its tag, its content, the whole of it, and where the next one begins. */
function element(der, at = 0) {
  let length = der[at + 1];
  let start = at + 2;
  if (length === undefined) throw new Error("cut off");
  if (length >= 0x80) {
    const octets = length & 0x7f;
    if (octets === 0 || octets > 4) throw new Error("no DER");
    length = der.readUIntBE(start, octets);
    start += octets;
  }
  const next = start + length;
  if (next > der.length) throw new Error("cut off");
  return { tag: der[at], content: der.subarray(start, next), whole: der.subarray(at, next), next };
}

function children({ content }) {
  const found = [];
  for (let at = 0; at < content.length; at = found.at(-1).next) found.push(element(content, at));
  return found;
}

/** The signature algorithms by the DER of their object identifiers. */
const ALGORITHMS = {
  "06092a864886f70d01010b": "sha256",
  "06092a864886f70d01010c": "sha384",
  "06092a864886f70d01010d": "sha512",
  "06082a8648ce3d040302": "sha256",
  "06082a8648ce3d040303": "sha384",
  "06082a8648ce3d040304": "sha512",
};

/** Verifies the signature of a structure of content, algorithm and signature, as a CRL and an OCSP answer are. */
function isSignedBy([content, algorithm, signature], key) {
  const digest = ALGORITHMS[children(algorithm)[0].whole.toString("hex")];
  if (!digest) throw new Error("has a signature of a kind that this program does not know: use openssl");
  return verify(digest, content.whole, key, signature.content.subarray(1));
}

function readCertificate(path) {
  try {
    return new X509Certificate(read(path));
  } catch {
    problem(`${path} is no certificate, or is missing.`);
    return null;
  }
}

/** Reads a certificate and verifies that the one of the other file has issued it. */
function issued(path, issuerPath) {
  const [certificate, issuer] = [readCertificate(path), readCertificate(issuerPath)];
  if (!certificate || !issuer) return null;
  if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
    problem(`${path} is not signed by ${issuerPath}.`);
  return { certificate, issuer };
}

/** Reports a file that cannot be read as what it is said to be, or about which `check` returns a sentence. */
function inspect(path, check) {
  try {
    const fault = check(read(path));
    if (fault) problem(`${path} ${fault}`);
  } catch (error) {
    problem(`${path} ${/use openssl$/.test(error.message) ? error.message : "cannot be read"}.`);
  }
}

const verifyCrl = ({ file, issuer }) =>
  inspect(file, (der) =>
    isSignedBy(children(element(der)), new X509Certificate(read(issuer)).publicKey)
      ? null
      : `is not signed by ${issuer}.`,
  );

const serialOf = (text) => BigInt(`0x${text}`);

/** How often the OCSP answers say what, by what they say. */
const said = { good: 0, revoked: 0, unknown: 0 };
const SAID = { 0x80: "good", 0xa1: "revoked", 0x82: "unknown" };

/** Verifies the signature of an OCSP answer, its responder, and which certificate it is about. */
function verifyOcsp(path, { certificate, issuer }) {
  inspect(path, (der) => {
    const [status, bytes] = children(element(der));
    if (status.content[0] !== 0) return "is not a successful answer.";
    const basic = element(children(element(bytes.content))[1].content);
    const [data, algorithm, signature, certificates] = children(basic);
    const responder = new X509Certificate(children(element(certificates.content))[0].whole);
    if (!responder.checkIssued(issuer) || !responder.verify(issuer.publicKey))
      return "is signed by a responder that the issuing CA has not named.";
    if (!isSignedBy([data, algorithm, signature], responder.publicKey))
      return "is not what the responder signed: changed.";
    const responses = children(data).find(({ tag }) => tag === 0x30);
    const [certId, state] = children(children(responses)[0]);
    if (serialOf(children(certId)[3].content.toString("hex")) !== serialOf(certificate.serialNumber))
      return "is about another certificate.";
    said[SAID[state.tag]] += 1;
    return null;
  });
}

function verifyCertificates(manifest) {
  for (const { file, issuer } of manifest.authorities) issued(file, issuer);
  for (const { file, issuer, sha256: expected, ocsp } of manifest.certificates) {
    const found = issued(file, issuer);
    if (!found) continue;
    if (sha256(found.certificate.raw).toString("hex") !== expected) problem(`${file} is another certificate: changed.`);
    if (ocsp !== null) verifyOcsp(ocsp, found);
  }
  manifest.crls.forEach(verifyCrl);
  say(
    `Certificates: ${manifest.certificates.length}, certificates of CAs: ${manifest.authorities.length}, CRLs: ${manifest.crls.length}`,
  );
  say(`OCSP answers: good ${said.good}, revoked ${said.revoked}, unknown ${said.unknown}`);
}

// ---- the audit trail ----

const text = (kind, values, version = 1) => JSON.stringify([`marque.audit.${kind}.${version}`, ...values]);

async function* lines(path) {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    try {
      yield { number, value: JSON.parse(line) };
    } catch {
      yield { number, value: null };
    }
  }
}

/** Reads the checkpoints of the pack and verifies their signatures. */
async function readCheckpoints(keys) {
  const found = new Map();
  for await (const { number, value } of lines(join(folder, "audit", "checkpoints.jsonl"))) {
    if (!value) {
      problem(`Line ${number} of audit/checkpoints.jsonl is no checkpoint.`);
      continue;
    }
    const { sequence, at, mac, keyId, firstSequence, root, signature } = value;
    const key = keys.get(keyId);
    const signed = Buffer.from(text("checkpoint", [sequence, at, mac, keyId, firstSequence, root], 2));
    if (!key || !verify(null, signed, key, Buffer.from(signature, "hex")))
      problem(`The checkpoint at entry ${sequence} is not what the portal signed: changed or forged.`);
    // The entries are compared with a false checkpoint, too, so that one change is one problem.
    found.set(sequence, value);
  }
  return found;
}

/** Compares the checkpoints with a copy that was kept elsewhere. */
async function compareCheckpoints(checkpoints) {
  if (options.checkpoints === undefined) return;
  let same = 0;
  for await (const { value } of lines(options.checkpoints)) {
    const known = value && checkpoints.get(value.sequence);
    if (!known) continue;
    same += 1;
    if (known.mac !== value.mac || known.root !== value.root)
      problem(
        `The checkpoint at entry ${value.sequence} differs from the copy that was kept elsewhere: the trail was replaced.`,
      );
  }
  say(`Checkpoints that are in the copy too: ${same} of ${checkpoints.size}`);
}

/** Returns the hash of an entry as a leaf of the tree of its checkpoint. It covers what the seal of the entry covers. */
function leafOf(entry) {
  const sealed =
    entry.commitment === null
      ? text("leaf", [entry.sequence, entry.id, entry.mac])
      : text(
          "entry",
          [
            entry.sequence,
            entry.id,
            entry.at,
            entry.actorId,
            entry.impersonatorId,
            entry.event,
            entry.userId,
            entry.orderId,
            entry.certificateId,
            entry.codeId,
            entry.reference,
            entry.keyId,
            entry.previous,
            entry.commitment,
            ...(entry.apiClientId === null ? [] : [entry.apiClientId]),
          ],
          2,
        );
  return createHash("sha256").update("\0").update(sealed).digest();
}

/** Returns the root of the tree to which the path of a leaf leads (RFC 9162 §2.1.3.2). */
function rootOf(leaf, index, size, path) {
  let [hash, at, last] = [leaf, index, size - 1];
  const rest = path.map((node) => Buffer.from(node, "hex"));
  for (; last > 0; at = at >> 1, last = last >> 1) {
    if (at === last && at % 2 === 0) continue; // there is nothing beside it
    const beside = rest.shift();
    if (!beside) return null;
    const pair = at % 2 === 0 ? [hash, beside] : [beside, hash];
    hash = createHash("sha256").update("\x01").update(pair[0]).update(pair[1]).digest();
  }
  return rest.length === 0 ? hash.toString("hex") : null;
}

/** Returns why the text of an entry is not the one that was sealed, or null. */
function textFault(entry) {
  if (entry.commitment === null || entry.isErased) return null;
  const personal = text("personal", [entry.actorName, entry.message, entry.address]);
  const expected = createHmac("sha256", Buffer.from(entry.salt ?? "", "hex"))
    .update(personal, "utf8")
    .digest("hex");
  return expected === entry.commitment ? null : "its text, its actor or its address is not what was sealed: changed.";
}

/** Returns why an entry is not in the tree of its checkpoint, or null. */
function treeFault(entry, checkpoints) {
  if (entry.checkpoint === null) return null;
  const checkpoint = checkpoints.get(entry.checkpoint);
  if (!checkpoint) return `the checkpoint at entry ${entry.checkpoint}, which proves it, is not in the pack.`;
  const { firstSequence, sequence, root } = checkpoint;
  const isInside = entry.sequence >= firstSequence && entry.sequence <= sequence;
  const found =
    isInside && rootOf(leafOf(entry), entry.sequence - firstSequence, sequence - firstSequence + 1, entry.path);
  if (found !== root) return "it is not what was sealed: changed or inserted.";
  return entry.sequence === sequence && entry.mac !== checkpoint.mac
    ? "its seal is not that of the checkpoint: changed."
    : null;
}

const expands = (ranges) =>
  new Set(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i)));

async function verifyTrail(manifest, checkpoints) {
  const missing = expands(manifest.entries.ranges);
  let [proven, stated, before] = [0, 0, null];
  for await (const { number, value: entry } of lines(join(folder, "audit", "entries.ndjson"))) {
    if (!entry) {
      problem(`Line ${number} of audit/entries.ndjson is no entry.`);
      continue;
    }
    const name = `Entry ${entry.sequence}`;
    if (!missing.delete(entry.sequence)) problem(`${name}: the manifest does not name it, or names it once: inserted.`);
    const fault = treeFault(entry, checkpoints) ?? textFault(entry);
    if (fault) problem(`${name}: ${fault}`);
    if (before !== null && entry.sequence === before.sequence + 1 && entry.previous !== before.mac)
      problem(`${name}: it does not follow entry ${before.sequence} of the pack: one of them was replaced.`);
    if (entry.checkpoint === null || entry.commitment === null) stated += 1;
    else proven += 1;
    before = entry;
  }
  for (const sequence of missing) problem(`Entry ${sequence}: it is missing: removed.`);
  say(`Audit entries: ${proven + stated}, proven by signed checkpoints: ${proven}`);
  if (stated > 0)
    say(
      `Entries of which only the signature of the manifest proves the text, because they are older than the checkpoints with trees: ${stated}`,
    );
}

// ---- all of it ----

async function verifyPack() {
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no folder: unpack the archive first.`);
  const { bytes, manifest } = readManifest();
  say(`Evidence pack of ${manifest.portal}, made ${manifest.madeAt}: ${manifest.scope.text}`);
  const keys = readKeys();
  verifyManifest(bytes, manifest, keys);
  await verifyFiles(manifest);
  verifyCertificates(manifest);
  const checkpoints = await readCheckpoints(keys);
  await compareCheckpoints(checkpoints);
  await verifyTrail(manifest, checkpoints);
}

try {
  await verifyPack();
} catch (error) {
  problem(`The pack cannot be read: ${error.message}`);
}
for (const one of problems) say(`PROBLEM  ${one}`);
say(problems.length === 0 ? "The pack is sound." : `The pack is NOT sound. Problems: ${problems.length}`);
process.exitCode = problems.length === 0 ? 0 : 1;
