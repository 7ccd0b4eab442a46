import { createPrivateKey, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { buildCrl } from "~/ca/crl/build.server";
import { CrlEntries } from "~/ca/crl/entries.server";
import { createRootCertificate } from "~/ca/hierarchies.server";
import { spkiDerOf } from "~/ca/keys.server";
import { toPem } from "~/ca/pem.server";
import { softwareSigner } from "~/ca/signer.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { readTransferFile, writeTransferFile } from "~/domain/ceremony/transfer-file.server";
import { nextRsaKey } from "../support/keys";

const folder = mkdtempSync(join(tmpdir(), "marque-transfer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HASH = "ab".repeat(32);

async function content() {
  const key = createPrivateKey(nextRsaKey());
  const signer = softwareSigner(key, "sha256");
  const subject = { country: "GB", organisation: "Example", commonName: "Example Root" };
  const thisUpdate = new Date("2027-01-01T00:00:00Z");
  const nextUpdate = new Date("2027-06-01T00:00:00Z");
  const request = { subject, spkiDer: spkiDerOf(key), signer, years: 20, now: thisUpdate, random: randomBytes };
  const root = await createRootCertificate(request);
  const issuer = readIssuer(root);
  const crl = await buildCrl({ issuer, signer, number: 1, thisUpdate, nextUpdate, entries: new CrlEntries() });
  return {
    ceremony: { title: "Root 2027", date: "2027-01-01", planSha256: HASH, transcriptSha256: HASH },
    certificates: [{ kind: "root" as const, name: "root", pem: toPem("CERTIFICATE", root) }],
    crls: [{ issuer: "root", pem: toPem("X509 CRL", crl) }],
  };
}

test("[CAL-01] a transfer file is read back as it was written, with its SHA-256 as people write it down", async () => {
  const file = join(folder, "transfer.json");
  const written = await content();
  const sha256 = await writeTransferFile(file, written);
  expect(sha256).toBe(sha256Hex(readFileSync(file)));
  const expected = { format: "marque-transfer-1", ...written };
  const spaced = (sha256.match(/.{4}/g) ?? []).join(" ").toUpperCase();
  for (const typed of [sha256, spaced]) expect(await readTransferFile(file, typed)).toEqual(expected);
});

test("[CAL-01] a transfer file that was changed, is of another ceremony or is not one at all is refused in plain words", async () => {
  const file = join(folder, "changed.json");
  const written = await content();
  const sha256 = await writeTransferFile(file, written);
  const bytes = readFileSync(file);
  const [certificate] = written.certificates;
  const [crl] = written.crls;
  const good = { format: "marque-transfer-1", ...written };
  const refusal = async (value: string | object, hash?: string) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    writeFileSync(file, text);
    const error: unknown = await readTransferFile(file, hash ?? sha256Hex(Buffer.from(text))).catch(
      (thrown: unknown) => thrown,
    );
    return error instanceof Error ? error.message.replaceAll(file, "FILE") : "accepted";
  };
  expect(await refusal(`${bytes.toString()} `, sha256)).toMatch(
    /^FILE has the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}\. The file was changed, or belongs to another ceremony\. Nothing was installed\.$/,
  );
  expect(await refusal(good, "12 34")).toBe(
    "--sha256 must be the SHA-256 of the transfer file: 64 hexadecimal digits.",
  );
  expect(await refusal("no JSON")).toBe("FILE is not JSON. Take the file transfer.json of the ceremony.");
  for (const [changed, sentence] of [
    [{ ...good, format: "marque-transfer-2" }, /^FILE: format .*marque-transfer-1/],
    [{ ...good, more: 1 }, /^FILE: value Unrecognized key\(s\) in object: 'more'$/],
    [{ ...good, certificates: [{ ...certificate, kind: "leaf" }] }, /^FILE: certificates\.0\.kind /],
    [
      { ...good, certificates: [{ ...certificate, pem: crl?.pem }] },
      /^FILE: certificates\.0\.pem must be one PEM block/,
    ],
    [
      { ...good, certificates: [{ ...certificate, pem: toPem("CERTIFICATE", Buffer.from("no")) }] },
      /0\.pem must be one/,
    ],
    [
      { ...good, crls: [{ ...crl, pem: `${crl?.pem}${crl?.pem}` }] },
      /^FILE: crls\.0\.pem must be one PEM block 'X509 CRL'/,
    ],
    [{ ...good, crls: [{ ...crl, pem: toPem("X509 CRL", Buffer.from("no")) }] }, /^FILE: crls\.0\.pem must be one/],
    [{ ...good, ceremony: { ...written.ceremony, planSha256: "x" } }, /^FILE: ceremony\.planSha256 must be a SHA-256/],
  ] as const)
    expect(await refusal(changed)).toMatch(sentence);
  await expect(readTransferFile(join(folder, "none.json"), sha256)).rejects.toThrow(
    /none\.json cannot be read: there is no such file\./,
  );
});
