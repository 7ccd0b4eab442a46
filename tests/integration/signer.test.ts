import { X509Certificate } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { checkReadiness, lastReadiness } from "~/domain/jobs/readiness.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { checkPolicies } from "~/domain/repository/policies/check.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { action } from "~/routes/home.certificate-queue.$id/route";
import * as overview from "~/routes/home.overview";
import { getDb } from "~db/connection.server";
import { findLatestCrl, findLatestCrlSummary } from "~db/repositories/crls.server";
import { faultsAt, makeSound } from "../support/alerts";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { childProgram } from "../support/child-programs";
import { runCommand } from "../support/command";
import { createAdmin, createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signerIn, startSigner, stopSigner, useSigners } from "../support/signer";
import { setVariables } from "../support/variables";
import { run, signedInAs } from "../support/visitor";

useSigners();
const portal = usePortal();
const { file, makeCsr } = useOpenssl();

let signer: ReturnType<typeof signerIn>;
let process_: Awaited<ReturnType<typeof startSigner>>;
let customer: Awaited<ReturnType<typeof createUser>>;
let admin: Awaited<ReturnType<typeof createAdmin>>;
let approver: NonNullable<Awaited<ReturnType<typeof findSessionUser>>>;

/** The key files of the portal. */
const keyFiles = () => readdirSync(join(portal.dataDir, "ca")).sort();
const adopt = () =>
  runCommand(["signer", "adopt", "--operator", "Olga", "--yes"], { ...portal.env, SIGNER_DIR: signer.directory });
/** Runs a command as the portal, which does not have the passphrase. */
const command = (...args: string[]) =>
  runCommand(args, { ...portal.env, CA_PASSPHRASE: "", SIGNER_SOCKET: signer.env.SIGNER_SOCKET });

beforeAll(async () => {
  [customer, admin] = [await createUser(), await createAdmin()];
  const user = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!user) throw new Error("The administrator cannot be found.");
  approver = user;
  signer = signerIn(portal.dataDir);
  copyFileSync(join(portal.dataDir, "ca/issuing-sha2.key.pem"), join(portal.dataDir, "a-copy.pem"));
  expect(await adopt()).toMatchObject({ code: 0, err: "" });
  process_ = await startSigner(signer.env);
  setVariables({ SIGNER_SOCKET: signer.env.SIGNER_SOCKET, CA_PASSPHRASE: "" });
});

/** Starts the signer again when a test has ended it. */
async function restart(env: Record<string, string> = {}): Promise<void> {
  await stopSigner(process_);
  process_ = await startSigner({ ...signer.env, ...env });
}

beforeEach(async () => {
  if (process_.exitCode !== null || process_.signalCode !== null) await restart();
});

const order = () => createCertificateOrder(customer, makeCsr().der, checksDone());
const linesOf = (serial: string | null) => signer.lines().filter((line) => line.serial === serial);

async function readiness(): Promise<string[]> {
  lastReadiness.clear();
  return checkReadiness();
}

describe("the keys of the issuing CAs", () => {
  test("are moved to the signer with their certificates, the roots stay, and the audit trail says who did it", async () => {
    expect(keyFiles()).toEqual(["root-g3.key.pem", "root.key.pem"]);
    for (const name of ["issuing-sha2", "issuing-g3"] as const) {
      expect(statSync(join(signer.directory, "keys", `${name}.key.pem`)).mode & 0o777).toBe(0o600);
      expect(existsSync(join(signer.directory, "certificates", `${name}.cer`))).toBe(true);
    }
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select(["actorName", "message"])
      .where("event", "=", "authority.key-moved")
      .execute();
    expect(entries.map(({ actorName, message }) => `${actorName}: ${message}`)).toEqual([
      "command line (Olga): The key of 'issuing-sha2' was moved to the signer.",
      "command line (Olga): The key of 'issuing-g3' was moved to the signer.",
    ]);
  });

  test("are moved once: after an interruption the command completes, and another key is not overwritten", async () => {
    const left = join(portal.dataDir, "ca/issuing-sha2.key.pem");
    copyFileSync(join(portal.dataDir, "a-copy.pem"), left);
    expect(await adopt()).toMatchObject({ code: 0 });
    expect(existsSync(left)).toBe(false);
    copyFileSync(join(signer.directory, "keys/issuing-g3.key.pem"), left);
    expect((await adopt()).err).toMatch(/issuing-sha2\.key\.pem does not belong to the stored certificate/);
    copyFileSync(join(portal.dataDir, "a-copy.pem"), left);
    expect(await adopt()).toMatchObject({ code: 0 });
    expect(keyFiles()).toEqual(["root-g3.key.pem", "root.key.pem"]);
  });

  test("must not be beside a portal for real use, nor their passphrase", async () => {
    const env = {
      ...portal.env,
      SIGNER_SOCKET: signer.env.SIGNER_SOCKET,
      PUBLIC_URL: "https://portal.example.org",
      TRUST_PROXY: "loopback",
      ROOT_PASSPHRASE: "",
    };
    const left = join(portal.dataDir, "ca/issuing-sha2.key.pem");
    copyFileSync(join(portal.dataDir, "a-copy.pem"), left);
    const { err } = await runCommand(["setup"], env);
    expect(await adopt()).toMatchObject({ code: 0 });
    expect(err).toContain("portal: CA_PASSPHRASE must be unset when PUBLIC_URL is https and a signer has the keys");
    expect(err).toContain(`portal: ${left} is a key of an issuing CA: run 'npm run portal -- signer adopt'`);
  });

  test("sign no example data, which are dated back", async () => {
    expect((await command("demo")).err).toMatch(
      /^portal: The example data have certificates of the past, which a signer ref/,
    );
  });

  test("are not made by the signer, and a set-up finds that they are there", async () => {
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
    const { id, ...row } = await getAuthority(getDb(), "issuing-g3");
    await getDb().deleteFrom("ocspResponders").where("authorityId", "=", id).execute();
    await getDb().deleteFrom("crls").where("authorityId", "=", id).execute();
    await getDb().deleteFrom("authorities").where("id", "=", id).execute();
    await expect(createAuthorities({ bits: 2048 })).rejects.toThrow(
      "The signer has a key 'issuing-g3', but the database knows no CA 'issuing-g3'.",
    );
    await getDb().insertInto("authorities").values(row).execute();
  });
});

describe("with the signer", () => {
  test("[CAL-02] [CAL-04] an order becomes a certificate that openssl verifies, and the journal has it once", async () => {
    const { id } = await order();
    const request = await (
      await signedInAs(admin)
    ).post(paths.certificateQueueOrder(id), { intent: "approve", confirmed: "yes" });
    expect((await run(action, request, { id: String(id) })).status).toBe(303);
    const { der, serialNumber } = await readCertificate(id);
    const pem = async (name: "root" | "issuing-sha2") =>
      file("pem", new X509Certificate((await getAuthority(getDb(), name)).certificate).toString());
    const chain = ["-CAfile", await pem("root"), "-untrusted", await pem("issuing-sha2")];
    expect(openssl(["verify", "-x509_strict", ...chain, file("cer", der ?? "")])).toContain(": OK\n");
    expect(linesOf(serialNumber)).toMatchObject([
      { kind: "certificate", issuer: "issuing-sha2", authority: "small-office: the word of the portal" },
    ]);
  });

  test("[CAL-03] [REP-03] CRLs and responders' certificates are signed by it, too", async () => {
    await publishCrls("issuing-g3");
    const { id } = await getAuthority(getDb(), "issuing-g3");
    const { number } = describeCrl((await findLatestCrl(getDb(), id, false))?.der ?? Buffer.alloc(0));
    expect(await renewResponders(new Date(), { force: true })).toEqual(["issuing-sha2", "issuing-g3"]);
    const kinds = signer.lines().filter(({ issuer, serial }) => issuer === "issuing-g3" && serial === String(number));
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(["crl", "delta-crl"]);
    expect(signer.lines().filter(({ kind }) => kind === "responder").length).toBeGreaterThanOrEqual(2);
  });

  test("[CAL-03] a CRL whose number the signer has passed is made again under a new number", async () => {
    const { id } = await getAuthority(getDb(), "issuing-g3");
    const before = (await findLatestCrlSummary(getDb(), id, false))?.number ?? 0;
    const signing = await getSigner("issuing-g3");
    let newer: Promise<void> | undefined;
    const afterNewer = (tbs: Uint8Array) => {
      setSigner("issuing-g3", null);
      newer ??= publishCrls("issuing-g3");
      return newer.then(() => signing.sign(tbs));
    };
    setSigner("issuing-g3", { ...signing, sign: afterNewer });
    await publishCrls("issuing-g3");
    const stored = await getDb()
      .selectFrom("crls")
      .select(["number", "isDelta"])
      .where("authorityId", "=", id)
      .where("number", ">", before)
      .orderBy("number")
      .execute();
    expect(stored.filter(({ isDelta }) => !isDelta).map(({ number }) => number - before)).toEqual([2, 3]);
    expect(stored.filter(({ isDelta }) => isDelta).map(({ number }) => number - before)).toEqual([2, 3]);
    expect(linesOf(String(before + 1))).toEqual([]);
  });

  test("the overview and the practice statement say on whose word it signs", async () => {
    const { html } = await openPage(overview, await signedInAs(admin), staffPaths.overview);
    expect(pageText(html)).toContain("It signs by this authority: small-office: the word of the portal.");
    expect(checkPolicies()).toEqual([]);
  });

  test("[CAL-04] an order that was approved while the signer was away is completed when it is back, and staff learn of it", async () => {
    await makeSound(new Date());
    await getSigner("issuing-sha2");
    expect(await readiness()).toEqual([]);
    await stopSigner(process_);
    const { id } = await order();
    const request = await (
      await signedInAs(admin)
    ).post(paths.certificateQueueOrder(id), {
      intent: "approve",
      confirmed: "yes",
    });
    const answer = await run(action, request, { id: String(id) });
    expect(await answer.text()).toContain(
      "The order is approved, but its certificate cannot be signed at the moment. The portal tries again every minute.",
    );
    const recorded = await readCertificate(id);
    expect(recorded).toMatchObject({ status: "Pending", der: null });
    expect(await readiness()).toEqual([
      "the signer does not sign for issuing-sha2",
      "the signer does not sign for issuing-g3",
    ]);
    expect(await faultsAt(new Date())).toEqual(
      expect.arrayContaining(["key-unusable issuing-sha2", "signer-unreachable"]) as string[],
    );
    const { html } = await openPage(overview, await signedInAs(admin), staffPaths.overview);
    expect(pageText(html)).toContain(
      "cannot be reached: nothing listens there. Start the signer. Nothing can be issued until it answers.",
    );
    const verified = await command("audit", "verify");
    expect(verified.code).toBe(1);
    expect(verified.out).toMatch(/^The audit trail is sound\. /);
    expect(verified.err).toContain("The signer's journal was not compared with the database. The signer (");
    await restart();
    expect(await finishInterruptedIssuing()).toBe(1);
    expect(await readCertificate(id)).toMatchObject({ status: "Issued", serialNumber: recorded.serialNumber });
    expect(await readiness()).toEqual([]);
  });

  test.each([
    ["before-line", 0],
    ["after-line", 1],
  ])(
    "[CAL-04] a signer that is killed %s of the journal leaves an order that completes after its restart, once",
    async (when, lines) => {
      await stopSigner(process_);
      process_ = await startSigner(signer.env, [childProgram("crash/signer"), when]);
      const { id } = await order();
      await expect(approveOrder(id, approver)).rejects.toMatchObject({ code: "signer" });
      const { serialNumber } = await readCertificate(id);
      expect(linesOf(serialNumber)).toHaveLength(lines);
      await restart();
      expect(await finishInterruptedIssuing()).toBe(1);
      expect(await finishInterruptedIssuing()).toBe(0);
      const issued = await readCertificate(id);
      expect(new X509Certificate(issued.der ?? Buffer.alloc(0)).serialNumber).toBe(serialNumber);
      expect(linesOf(serialNumber)).toHaveLength(1);
      expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
    },
  );

  test("[CAL-04] what it refuses for good is undone, and the order is pending again", async () => {
    await stopSigner(process_);
    const { id } = await order();
    await expect(approveOrder(id, approver)).rejects.toMatchObject({ code: "signer" });
    const { tbsCertificate } = await readCertificate(id);
    const tbs = Buffer.from(tbsCertificate ?? "");
    // basicConstraints of an end entity become other bytes
    const at = tbs.indexOf(Buffer.from("0603551d130101ff04023000", "hex"));
    tbs.write("0603551d130101ff04023001", at, "hex");
    await setCertificate(id, { tbsCertificate: tbs });
    await restart();
    await expect(finishInterruptedIssuing()).rejects.toThrow(
      "The certificate has not been issued and the order is pending",
    );
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null, serialNumber: null });
    expect((await approveOrder(id, approver)).status).toBe("Issued");
  });

  test("[CAL-04] orders above its daily ceiling wait, and an alert comes before", async () => {
    const used = signer.lines().filter(({ kind }) => kind === "certificate").length;
    await restart({ SIGNER_DAILY_CEILING: String(used + 1) });
    const [first, second] = [await order(), await order()];
    expect((await approveOrder(first.id, approver)).status).toBe("Issued");
    await expect(approveOrder(second.id, approver)).rejects.toThrow(
      new RegExp(`has signed ${used + 1} certificates today.*until \\d{4}-\\d\\d-\\d\\d 00:00 UTC`),
    );
    expect(await faultsAt(new Date())).toContain("signer-near-ceiling");
    await restart();
    expect(await finishInterruptedIssuing()).toBe(1);
    expect((await readCertificate(second.id)).status).toBe("Issued");
    expect(await faultsAt(new Date())).not.toContain("signer-near-ceiling");
  });
});

describe("the commands", () => {
  test("[CAL-04] signer status and signer verify show the counters and the last line", async () => {
    const last = signer.lines().at(-1);
    const status = await command("signer", "status");
    expect(status.out).toContain(`Journal: line ${last?.number} `);
    expect(status.out).toMatch(/^issuing-sha2 +\d+ +\d+ +\d+ +\d+ +usable$/m);
    const verified = await runCommand(["signer", "verify"], signer.env);
    expect(verified.out).toBe(`The journal is sound. Lines: ${last?.number}, hash ${last?.hash}\n`);
  });
});
