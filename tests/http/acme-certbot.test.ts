import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb, getDb } from "~db/connection.server";
import { startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { newAcmeCompany, newAcmeKey } from "../support/acme";
import { useOpenssl } from "../support/openssl";
import { TEST_SECRETS } from "../support/template";

const { makeCsr } = useOpenssl();
const folder = mkdtempSync(join(tmpdir(), "marque-certbot-"));

let portal: RunningPortal;
let company: Awaited<ReturnType<typeof newAcmeCompany>>;
let key: Awaited<ReturnType<typeof newAcmeKey>>;

beforeAll(async () => {
  portal = await startPortal();
  const { dataDir, origin } = portal;
  const config = { PORTAL_CONFIG: join(dataDir, "portal.json"), PUBLIC_URL: origin, LOG_LEVEL: "silent" };
  Object.assign(process.env, { NODE_ENV: "test", DATA_DIR: dataDir, ...TEST_SECRETS, ...config });
  await closeDb();
  clearMemoized();
  company = await newAcmeCompany(makeCsr, { ceilingCertificates: 2 });
  key = await newAcmeKey(company);
});
afterAll(async () => {
  await closeDb();
  await portal.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const place = ["--config-dir", "config", "--work-dir", "work", "--logs-dir", "logs"].map((part) =>
  part.startsWith("--") ? part : join(folder, part),
);

/** Runs certbot. Returns what it prints and whether it succeeded. */
async function certbot(...args: string[]): Promise<{ isDone: boolean; output: string }> {
  const command = [...args, ...place, "--non-interactive", "--server", key.directory];
  try {
    const { stdout, stderr } = await promisify(execFile)("certbot", command, { timeout: 120_000 });
    return { isDone: true, output: stdout + stderr };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { isDone: false, output: stdout + stderr };
  }
}

/** Returns the latest certificate that certbot has stored for a name. */
const certificateOf = (name: string) =>
  new X509Certificate(readFileSync(join(folder, "config/live", name, "cert.pem")));

/** Asks for a certificate. No challenge has to be met, so nothing listens at a port. */
const getCertificate = (name: string, ...more: string[]) =>
  certbot("certonly", "--standalone", "--key-type", "rsa", "--preferred-challenges", "http", "-d", name, ...more);

test("[API-03] certbot gets a certificate from nothing, renews it with a new key, is told of the ceiling, and revokes it", async () => {
  const name = `www.${company.domain}`;
  const binding = ["--eab-kid", key.keyId, "--eab-hmac-key", key.secret];
  const account = ["--agree-tos", "--register-unsafely-without-email", ...binding];
  const first = await getCertificate(name, ...account);
  expect(first).toMatchObject({ isDone: true });
  const certificate = certificateOf(name);
  expect(certificate.subject.split("\n")).toEqual(["C=GB", "L=Coventry", "O=Example Parts Ltd", `CN=${name}`]);

  expect(await certbot("renew", "--force-renewal", "--no-random-sleep-on-renew")).toMatchObject({ isDone: true });
  const renewed = certificateOf(name);
  expect(renewed.serialNumber).not.toBe(certificate.serialNumber);
  expect(renewed.publicKey.equals(certificate.publicKey)).toBe(false);
  const former = getDb().selectFrom("certificates").select("status");
  const ofFirst = former.where("serialNumber", "=", certificate.serialNumber);
  expect(await ofFirst.executeTakeFirst()).toEqual({ status: "Renewed" });
  const invoices = await getDb().selectFrom("invoices").select("id").execute();
  expect(invoices.length).toBeGreaterThanOrEqual(3); // with that of the order on which the authorisation is based

  const beyond = await certbot("renew", "--force-renewal", "--no-random-sleep-on-renew");
  expect(beyond.isDone).toBe(false);
  expect(beyond.output).toContain("The ceiling of the standing authorisation is reached: 2 certificates.");

  const revoked = await certbot("revoke", "--cert-name", name, "--reason", "superseded", "--no-delete-after-revoke");
  expect(revoked).toMatchObject({ isDone: true });
  const row = await getDb()
    .selectFrom("certificates")
    .select(["status", "revocationReason"])
    .where("serialNumber", "=", renewed.serialNumber)
    .executeTakeFirst();
  expect(row).toEqual({ status: "Revoked", revocationReason: 4 });
});
