import { createPrivateKey } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { fromPem, toPem } from "~/ca/pem.server";
import { softwareSigner } from "~/ca/signer.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { installTransfer } from "~/domain/authorities/install.service.server";
import { type TransferFile } from "~/domain/ceremony/transfer-file.server";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { sitemap } from "~/domain/repository/crawling.service.server";
import { listRepository, repositoryState } from "~/domain/repository/repository.service.server";
import { addDays } from "~/lib/dates";
import * as page from "~/routes/_public.certificate-repository";
import { getDb } from "~db/connection.server";
import { listCrossCertificates } from "~db/repositories/cross-certificates.server";
import { visit } from "../components/portal";
import { issueCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { crossCertificate, type CrossSigner, outsideRoot, rootAsSigner } from "../support/cross-certificates";
import { createUser } from "../support/factories";
import { nextRsaKey } from "../support/keys";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { bytesOf, getFile, usePublishedCrls } from "../support/repository";
import { OPERATOR, rootCrlRevokingSerial, transferOf } from "../support/successors";

const portal = usePortal();
usePublishedCrls();
const { file } = useOpenssl();

type Entry = TransferFile["certificates"][number];
const install = (...certificates: Entry[]) => installTransfer(transferOf({ certificates }), OPERATOR);
const refusal = (entry: Entry) =>
  install(entry).then(
    () => "installed",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const html = async () => {
  const data = await listRepository();
  return (await visit({ view: page.default, loader: () => data, shell: { user: null } })).html;
};
const nameOf = async (entry: Entry) => {
  const [name = ""] = (await install(entry)).crossCertificates;
  return name;
};
const findings = async () => {
  await auditEverything(new Date());
  const rows = await getDb().selectFrom("auditFindings").selectAll().where("settledAt", "is", null).execute();
  return rows.map(({ subject, cause }) => `${subject}: ${cause}`);
};

let other: CrossSigner;
beforeAll(async () => {
  other = await outsideRoot();
});

test("[REP-01][CAL-01] a client that trusts only another root accepts a customer's certificate through the cross-certificate", async () => {
  expect(select(await html(), "#cross-certificates").length).toBe(0);
  const before = await repositoryState();
  const entry = await crossCertificate(other);
  const installed = await install(entry);
  const [name = ""] = installed.crossCertificates;
  expect(name).toMatch(/^root-cross-\d+$/);
  expect(installed).toMatchObject({ authorities: [], lists: [], revoked: [], revokedCross: [], unused: [] });
  expect(await repositoryState()).not.toBe(before);

  const [der, pem] = [await getFile(`${name}.cer`), await getFile(`${name}.pem`)];
  expect([der.headers.get("Content-Type"), pem.headers.get("Content-Type")]).toEqual([
    "application/pkix-cert",
    "application/x-pem-file",
  ]);
  const cross = file("pem", await bytesOf(pem));
  expect(Buffer.from(await bytesOf(der))).toEqual(Buffer.from(fromPem("CERTIFICATE", entry.pem)));
  const issuing = await bytesOf(await getFile("issuing-sha2.pem"));
  const issued = await issueCertificate({ customer: await createUser() });
  const leaf = file("pem", toPem("CERTIFICATE", issued.der));
  const trusted = ["verify", "-CAfile", file("pem", toPem("CERTIFICATE", other.der)), "-untrusted"];
  expect(opensslFailure([...trusted, file("pem", issuing), leaf])).toContain("unable to get local issuer certificate");
  expect(
    openssl([...trusted, file("pem", Buffer.concat([issuing, await bytesOf(await getFile(`${name}.pem`))])), leaf]),
  ).toContain(": OK");

  const text = await html();
  expect(select(text, `a[href="/repository/${name}.cer"]`).length).toBe(1);
  expect(select(text, `a[href="/repository/${name}.pem"]`).length).toBe(1);
  expect(text).toContain(
    openssl(["x509", "-in", cross, "-noout", "-fingerprint", "-sha256"]).split("=")[1]?.trim() ?? "no fingerprint",
  );
  expect(pageText(text)).toContain("CN=Other Root, O=Example Association, C=GB");
  expect(await sitemap()).toContain(`/repository/${name}.cer`);
  const status = await runCommand(["ca", "status"], portal.env);
  expect(status.out).toContain("cross-certificate by CN=Other Root, O=Example Association, C=GB");

  const entries = await getDb().selectFrom("auditEntries").selectAll().where("reference", "=", name).execute();
  expect(entries.map(({ event, actorName }) => [event, actorName])).toEqual([
    ["cross-certificate.installed", "command line (Olga)"],
  ]);
  expect((await install(entry)).crossCertificates).toEqual([]);
  expect((await getDb().selectFrom("auditEntries").selectAll().where("reference", "=", name).execute()).length).toBe(1);
});

test("[REP-01][CAL-01] one that OpenSSL has signed for another CA is installed by its fingerprint, with the certificate of that CA", async () => {
  const key = file("pem", nextRsaKey());
  const ca = file(
    "pem",
    openssl([
      "req",
      "-x509",
      "-new",
      "-key",
      key,
      "-sha256",
      "-days",
      "900",
      "-subj",
      "/C=DE/O=Partner/CN=Partner Root",
    ]),
  );
  const root = file("pem", toPem("CERTIFICATE", (await getAuthority(getDb(), "root")).certificate));
  const extensions = file(
    "cnf",
    [
      "basicConstraints=critical,CA:TRUE,pathlen:1",
      "keyUsage=critical,keyCertSign,cRLSign",
      "subjectKeyIdentifier=hash",
      "authorityKeyIdentifier=keyid",
      "crlDistributionPoints=URI:http://pki.example/partner.crl",
      "authorityInfoAccess=caIssuers;URI:http://pki.example/partner.cer",
    ].join("\n"),
  );
  const request = ["x509", "-in", root, "-clrext", "-extfile", extensions, "-CA", ca, "-CAkey", key];
  const serial = ["-set_serial", "0x4A0102030405060708090A0B0C0D0E0F"];
  const der = fromPem("CERTIFICATE", openssl([...request, "-sha256", "-days", "300", ...serial]));
  const cross = file("der", der);
  const sha256 = sha256Hex(der).match(/../g)?.join(":").toUpperCase() ?? "";
  const run = (...args: string[]) =>
    runCommand(["ca", "install-cross", cross, "--operator", "Olga", ...args], portal.env);
  expect((await run("--sha256", "00".repeat(32), "--issuer", ca)).err).toContain("Nothing was installed.");
  expect((await run("--sha256", "4711", "--issuer", ca)).err).toContain(
    "--sha256 must be the SHA-256 of the certificate",
  );
  expect((await run("--sha256", sha256)).err).toContain(
    "Its issuer, CN=Partner Root, O=Partner, C=DE, is no CA of this portal, and no certificate of it is given.",
  );
  expect((await run("--sha256", sha256, "--issuer", key)).err).toContain("No PEM block CERTIFICATE found.");
  const { code, out } = await run("--sha256", sha256, "--issuer", ca);
  const name = /root-cross-\d+/.exec(out)?.[0] ?? out;
  expect([code, out]).toEqual([0, `Installed the cross-certificate '${name}'. The repository publishes it.\n`]);
  expect(Buffer.from(await bytesOf(await getFile(`${name}.cer`)))).toEqual(Buffer.from(der));
  expect((await run("--sha256", sha256, "--issuer", ca)).out).toBe("The cross-certificate was installed before.\n");
  const entries = await getDb().selectFrom("auditEntries").selectAll().where("reference", "=", name).execute();
  expect(entries.map(({ actorName, message }) => [actorName, /without a ceremony/.test(message)])).toEqual([
    ["command line (Olga)", true],
  ]);
  const step = await runCommand(["ca", "revocation-step", name, "--reason", "superseded"], portal.env);
  expect(step.err).toContain(
    `'${name}' was signed by CN=Partner Root, O=Partner, C=DE, which is no CA of this portal: only that CA can revoke it.`,
  );
});

test("[REP-01] the stored page is written again when a cross-certificate ends", async () => {
  const [first] = await listCrossCertificates(getDb());
  const end = Date.parse(first?.notAfter ?? "");
  expect(await repositoryState(new Date(end))).not.toBe(await repositoryState(new Date(end - 1)));
});

test("[REP-01] there is no file of a cross-certificate that does not exist, or under the name of another CA", async () => {
  const name = await nameOf(await crossCertificate(other));
  const another = name.replace("root-", "root-g3-");
  for (const missing of ["root-cross-999.cer", "root-cross-0.cer", `${another}.cer`, `${name}.crl`])
    expect([missing, (await getFile(missing)).status]).toEqual([missing, 404]);
});

test("[CAL-01] a cross-certificate of another key or subject, out of its time, or by somebody else is refused and changes nothing", async () => {
  const before = await listCrossCertificates(getDb());
  const g3 = (await getAuthority(getDb(), "root-g3")).certificate;
  const stranger = softwareSigner(createPrivateKey(nextRsaKey()), "sha256");
  const cases: [Entry, string][] = [
    [await crossCertificate(other, { keyFrom: g3 }), "It has the subject of 'root', but another key."],
    [
      await crossCertificate(other, { subjectFrom: (await outsideRoot("Nobody")).der }),
      "No CA of this portal has its subject, CN=Nobody, O=Example Association, C=GB.",
    ],
    [
      await crossCertificate(other, { signedBy: stranger }),
      "It is not signed with the key of its issuer, or was changed afterwards.",
    ],
    [
      { ...(await crossCertificate(other)), issuerPem: undefined },
      "Its issuer, CN=Other Root, O=Example Association, C=GB, is no CA of this portal, and no certificate of it is given.",
    ],
    [
      { ...(await crossCertificate(other)), issuerPem: toPem("CERTIFICATE", (await outsideRoot("Third")).der) },
      "The issuer must be the subject of the CA that signs, byte for byte.",
    ],
    [await crossCertificate(await rootAsSigner("root")), "must be signed by another CA than the one that it is for."],
    [await crossCertificate(other, { notBefore: addDays(new Date(), 9) }), "It is valid only from "],
  ];
  for (const [entry, sentence] of cases) {
    const said = await refusal(entry);
    expect(said).toMatch(/^The cross-certificate 'crossed' cannot be installed\. /);
    expect(said).toContain(sentence);
  }
  const ending = await crossCertificate(other);
  await expect(
    installTransfer(transferOf({ certificates: [ending] }), OPERATOR, addDays(new Date(), 400)),
  ).rejects.toThrow("The cross-certificate 'crossed' cannot be installed. It ended on ");
  expect(await listCrossCertificates(getDb())).toEqual(before);
});

test("[CAL-03][REP-01] a root's CRL revokes what it signed, the page says when, and a revoked one is not installed", async () => {
  const entry = await crossCertificate(await rootAsSigner("root-g3"));
  const name = await nameOf(entry);
  const { serialNumber } = describeCertificate(fromPem("CERTIFICATE", entry.pem));
  expect((await listRepository()).crossCertificates.find((one) => one.name === name)?.state).toBe("In force");
  expect(await findings()).toEqual([]);

  const step = (...args: string[]) => runCommand(["ca", "revocation-step", ...args], portal.env);
  expect((await step(name, "--reason", "superseded")).out).toMatch(
    new RegExp(`issuer: \\{ name: root-g3, [^]*hash: sha512[^]*- serial: "${serialNumber}"[^]*reason: superseded\\n`),
  );
  expect((await step(name, "--reason", "boredom")).err).toContain(
    "The reason must be one of: unspecified, keyCompromise",
  );
  expect((await step("root-cross-999", "--reason", "superseded")).err).toContain("'ca status' shows their names.");

  const { pem, revocationDate } = await rootCrlRevokingSerial("root-g3", serialNumber);
  const transfer = transferOf({ crls: [{ issuer: "root-g3", pem }] });
  const before = await repositoryState();
  expect(await installTransfer(transfer, OPERATOR)).toMatchObject({ revoked: [], revokedCross: [name] });
  expect(await repositoryState()).not.toBe(before);
  expect((await listRepository()).crossCertificates.find((one) => one.name === name)?.state).toMatch(/^Revoked on \d/);
  expect(pageText(await html())).toContain("Revoked on");
  const row = (await listCrossCertificates(getDb())).find((one) => one.serialNumber === serialNumber);
  expect(row?.revokedAt).toBe(revocationDate.toISOString());
  const entries = await getDb().selectFrom("auditEntries").select("event").where("reference", "=", name).execute();
  expect(entries.map(({ event }) => event)).toEqual(["cross-certificate.installed", "cross-certificate.revoked"]);
  expect(await findings()).toEqual([]);

  await getDb().deleteFrom("crossCertificates").where("serialNumber", "=", serialNumber).execute();
  expect(await refusal(entry)).toBe(
    "The cross-certificate 'crossed' cannot be installed. It is on the CRL of 'root-g3'.",
  );
});

test("[CAL-04][AUD-02] the nightly audit finds a row that was changed, a lost revocation and a changed certificate", async () => {
  const entry = await crossCertificate(await rootAsSigner("root-g3"));
  const name = await nameOf(entry);
  const row = (await listCrossCertificates(getDb())).find((one) => name.endsWith(`-${one.id}`));
  if (!row) throw new Error("The cross-certificate was not stored.");
  const { certificate } = row;
  const change = (values: { issuerName?: string; revokedAt?: Date | null; certificate?: Buffer }) =>
    getDb().updateTable("crossCertificates").set(values).where("id", "=", row.id).execute();
  const about = `the cross-certificate ${name}:`;
  await change({ issuerName: "CN=Somebody" });
  expect(await findings()).toEqual([`${about} The database and the certificate differ in: issuer.`]);
  await change({ issuerName: row.issuerName, revokedAt: new Date() });
  expect(await findings()).toEqual([`${about} The database and the CRL of its issuer differ about its revocation.`]);
  const changed = Buffer.from(certificate);
  changed[changed.length - 9] = (changed[changed.length - 9] ?? 0) ^ 1;
  await change({ revokedAt: null, certificate: changed });
  expect((await findings()).join()).toContain(`${about} It is not signed with the key of its CA`);
  await change({ certificate });
  expect(await findings()).toEqual([]);
});
