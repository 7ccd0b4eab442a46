import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { writeTransferFile } from "~/domain/ceremony/transfer-file.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { issueCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { requestSuccessor, signRequest } from "../support/successors";

const portal = usePortal();
const { file } = useOpenssl();
const NEXT = "issuing-sha2-2031";
const BY = ["--operator", "Olga"];
const run = (...args: string[]) => runCommand(["ca", ...args], portal.env);

const CEREMONY = {
  title: "2031",
  date: "2026-11-27",
  planSha256: "ab".repeat(32),
  transcriptSha256: "cd".repeat(32),
};

/** Writes the transfer file of an issuing CA. Returns the arguments of the command that installs it. */
async function transferOf(name: string, pem: string): Promise<string[]> {
  const path = join(portal.dataDir, `${name}.json`);
  const certificates = [{ kind: "issuing" as const, name, pem }];
  const sha256 = await writeTransferFile(path, { ceremony: CEREMONY, certificates, crls: [] });
  return ["install", path, "--sha256", sha256, ...BY];
}

/** Checks a plan with the step that a command printed, as somebody does who copies it. */
async function checkPrinted(printed: string, directory: string) {
  const step = printed.split("\n").filter((line) => line.startsWith("  - ") || line.startsWith("    "));
  const date = addDays(new Date(), 1).toISOString().slice(0, 10);
  const about = ["title: Printed", `date: ${date}`, "operator: Olga", "witnesses: [{ name: Ben, role: Auditor }]"];
  const plan = join(directory, "plan.yaml");
  writeFileSync(plan, [...about, "output: out", "steps:", ...step, ""].join("\n"));
  return runCommand(["ca", "ceremony", "--plan", plan, "--check"], portal.env);
}

test("[CAL-01] the commands of a roll-over: from the request to the compromise", async () => {
  const path = file("csr");
  const made = await run("request", NEXT, path, "--caption", "Issuing CA (SHA2) 2031", ...BY);
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(openssl(["req", "-in", path, "-noout", "-verify", "-subject"])).toContain("Issuing CA (SHA2) 2031");
  expect(made.out).toMatch(/ {2}SHA-256 of the public key [0-9a-f]{64}\n/);
  expect(made.out).toContain(basename(path));
  const root = await getAuthority(getDb(), "root");
  writeFileSync(join(dirname(path), "root.cer"), root.certificate);
  const checked = await checkPrinted(made.out, dirname(path));
  expect(checked).toMatchObject({ code: 0, err: "" });
  expect(checked.out).toContain("Example Association Issuing CA (SHA2) 2031");
  expect(checked.out).not.toContain("Notice");

  const transfer = join(portal.dataDir, "transfer.json");
  const pem = await signRequest(NEXT, readFileSync(path, "utf8"));
  const sha256 = await writeTransferFile(transfer, {
    ceremony: CEREMONY,
    certificates: [{ kind: "issuing", name: NEXT, pem }],
    crls: [],
  });
  const changed = await run("install", transfer, "--sha256", "00".repeat(32), ...BY);
  expect(changed).toMatchObject({ code: 1, out: "" });
  expect(changed.err).toContain("Nothing was installed.");
  const installed = await run("install", transfer, "--sha256", sha256, ...BY);
  expect(installed).toEqual({
    code: 0,
    out: `Installed the CA '${NEXT}'\nPublished the first CRLs of '${NEXT}'\nMade a certificate for the OCSP responder of '${NEXT}'\n`,
    err: "",
  });
  expect((await run("install", transfer, "--sha256", sha256, ...BY)).out).toBe(
    "Everything in the file was installed before.\n",
  );

  const unanswered = await run("take-over", NEXT, ...BY);
  expect(unanswered).toMatchObject({ code: 1, out: "" });
  expect(unanswered.err).toContain("repeat the command with --yes");
  const wrongYear = await run("take-over", NEXT, "--at", "2025-03-01", "--yes", ...BY);
  expect(wrongYear.err).toContain("It has passed. Enter a later time, or leave the option out for now.");
  const taken = await run("take-over", NEXT, "--yes", ...BY);
  expect(taken.out).toBe(
    `'${NEXT}' issues new certificates from now on.\n'issuing-sha2' then only renews what it has issued, as long as it covers the renewals.\n`,
  );
  const status = (await run("status")).out;
  expect(status).toContain("  Active: it issues certificates");
  expect(status).toContain("  Renewals only: it renews and replaces certificates that it has issued");

  const later = addDays(new Date(), 900).toISOString().slice(0, 10);
  const ending = await run("end-renewals", NEXT, "--at", later, ...BY);
  expect(ending.err).toContain(
    "It issues the certificates of new orders: 'issuing-sha2' will do so again in its place.",
  );
  const ended = await run("end-renewals", NEXT, "--at", later, "--yes", ...BY);
  expect(ended.out).toContain("'issuing-sha2' then issues the certificates of new orders again.");

  const hit = await issueCertificate();
  const rehearsed = await run("compromise", NEXT, "--dry-run");
  expect(rehearsed).toMatchObject({ code: 0, err: "" });
  for (const part of [
    hit.serialNumber,
    "Valid certificates of 'issuing-sha2-2031': 1\n",
    "Replacements come from 'issuing-sha2'.",
  ])
    expect(rehearsed.out).toContain(part);
  expect(rehearsed.out).toContain("reason: cACompromise");
  expect((await getAuthority(getDb(), NEXT)).revokedAt).toBeNull();
  expect((await run("compromise", NEXT, "--yes")).err).toContain("--operator must not be empty.");
  const recorded = await run("compromise", NEXT, "--yes", ...BY);
  expect(recorded.out).toContain(
    `'${NEXT}' issues nothing more. Messages about 1 valid certificates are in the queue.`,
  );
  expect((await getAuthority(getDb(), NEXT)).revokedAt).not.toBeNull();
  const entries = await getDb().selectFrom("auditEntries").selectAll().where("reference", "=", NEXT).execute();
  expect(entries.map(({ event, actorName }) => `${event} ${actorName}`)).toContain(
    "authority.takes-over command line (Olga)",
  );
}, 120_000);

test("[CAL-01] a CA whose certificate does not fit the portal is installed after a question only", async () => {
  const name = "issuing-g3-2032";
  const { pem } = await requestSuccessor(name);
  const install = await transferOf(name, await signRequest(name, pem, { policyOid: "2.999.1.2.3" }));
  const asked = await run(...install);
  expect(asked).toEqual({
    code: 1,
    out: `Notice: '${name}' may issue under the policy 2.999.1.2.3, but its certificates will name 2.999.1 (certificates.policyOid).\n`,
    err: expect.stringContaining("Nothing was changed") as string,
  });
  expect((await run("status")).out).not.toContain(name);
  expect((await run(...install, "--yes")).out).toContain(`Installed the CA '${name}'\n`);
}, 60_000);

test("[CAL-01] a request without a caption or an operator is refused", async () => {
  expect((await run("request", NEXT, file("csr"), ...BY)).err).toContain("--caption");
  expect((await run("request", NEXT, file("csr"), "--caption", "x")).err).toContain("--operator");
});
