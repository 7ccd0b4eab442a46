import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { toPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { requestAuthority } from "~/domain/authorities/request.service.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { issuingStep, crlStep, rootStep, PASSPHRASE, subjectOf } from "../support/ceremony";
import { issueCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { OPERATOR } from "../support/successors";

const portal = usePortal();
const { directory, file } = useOpenssl();

/** Writes a moment as plans have it. */
const instant = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;

/** Carries out a plan on a machine that has no database. Returns the path of its transfer file and the SHA-256 that people write down. */
async function carryOut(steps: Record<string, unknown>[]): Promise<{ transfer: string; sha256: string }> {
  const offline = join(directory, "offline");
  mkdirSync(join(offline, "ca"), { recursive: true });
  const plan = join(offline, "plan.yaml");
  const about = { title: "The first CAs", date: instant(new Date()).slice(0, 10), operator: "Anna Example" };
  const witnesses = [{ name: "Ben Example", role: "Security officer" }];
  writeFileSync(plan, stringify({ ...about, witnesses, output: "out", steps }, { aliasDuplicateObjects: false }));
  const env = { DATA_DIR: offline, ROOT_PASSPHRASE: PASSPHRASE, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
  const answers = `${sha256Hex(readFileSync(plan)).slice(0, 8)}\n${"yes\n".repeat(8)}`;
  const done = await runCommand(["ca", "ceremony", "--plan", plan], env, answers);
  expect(done).toMatchObject({ code: 0, err: "" });
  const [, sha256 = ""] = /Transfer file: .*\n {2}SHA-256 ([0-9a-f ]+)\n/.exec(done.out) ?? [];
  return { transfer: join(offline, "out", "transfer.json"), sha256 };
}

test("[CAL-01] a portal without CAs gets its first ones from a ceremony elsewhere, and issues with them", async () => {
  for (const table of ["ocspResponders", "crls", "authorities"] as const) await getDb().deleteFrom(table).execute();
  rmSync(join(portal.dataDir, "ca"), { recursive: true });
  const name = "issuing-sha2";
  const { pem } = await requestAuthority(name, "Issuing CA (SHA2)", OPERATOR, { bits: 3072 });
  writeFileSync(join(directory, "request.pem"), pem);
  const [notBefore, now] = [instant(addDays(new Date(), -1)), new Date()];
  const { crl, caIssuers, cps } = authorityUrls("root");
  const life = { hash: "sha256", notBefore, years: 10 };
  const steps = [
    rootStep("root", { certificate: { subject: subjectOf("Example Association Root"), ...life } }),
    {
      ...issuingStep(
        "root",
        { file: join(directory, "request.pem"), sha256: sha256Hex(Buffer.from(pem)) },
        "Example Association Issuing CA (SHA2)",
        { notBefore, years: 9, policy: { oid: "2.999.1", cps }, crl, caIssuers },
      ),
      name,
    },
    crlStep("root", { thisUpdate: instant(addDays(now, -1)), nextUpdate: instant(addDays(now, 180)) }),
  ];
  const { transfer, sha256 } = await carryOut(steps);
  const install = ["ca", "install", transfer, "--sha256", sha256, "--operator", "Olga"];
  expect(await runCommand(install, portal.env)).toEqual({
    code: 0,
    out: [
      "Installed the CA 'root'",
      `Installed the CA '${name}'`,
      "Published CRL 1 of 'root'",
      `Published the first CRLs of '${name}'`,
      `Made a certificate for the OCSP responder of '${name}'`,
      "",
    ].join("\n"),
    err: "",
  });
  expect((await runCommand(install, portal.env)).out).toBe("Everything in the file was installed before.\n");
  expect((await getAuthority(getDb(), name)).caption).toBe("Issuing CA (SHA2)");

  const issued = await issueCertificate();
  const [root, issuing] = await Promise.all((["root", name] as const).map((one) => getAuthority(getDb(), one)));
  const trust = [
    ...["-CAfile", file("pem", toPem("CERTIFICATE", root?.certificate ?? Buffer.alloc(0)))],
    ...["-untrusted", file("pem", toPem("CERTIFICATE", issuing?.certificate ?? Buffer.alloc(0)))],
  ];
  expect(openssl(["verify", "-x509_strict", ...trust, file("pem", toPem("CERTIFICATE", issued.der))])).toContain(
    ": OK\n",
  );
}, 120_000);
