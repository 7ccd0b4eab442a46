import { spawn } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { AcmeClient, clientKeyOf } from "../support/acme-client";
import { freePort } from "../support/postgres";
import { expectDone, useAcmePortal } from "./acme-portal";

const portal = useAcmePortal(30);
const { folder, linesOf, run, shell, stateOf } = portal;

const hostOf = (name: string) => `${name}.${portal.domain()}`;

const certificateIn = (...path: string[]) => new X509Certificate(readFileSync(join(folder, ...path)));

/** Expects that a certificate has the checked organisation and this host. */
function expectIssued(certificate: X509Certificate, host: string) {
  expect(certificate.subject.split("\n")).toEqual(["C=GB", "L=Coventry", "O=Example Parts Ltd", `CN=${host}`]);
}

/** Expects that a certificate was renewed with another key. */
async function expectRenewed(former: X509Certificate, renewed: X509Certificate) {
  expect(renewed.serialNumber).not.toBe(former.serialNumber);
  expect(renewed.publicKey.equals(former.publicKey)).toBe(false);
  expect(await stateOf(former)).toMatchObject({ status: "Renewed" });
}

test("[API-03] dehydrated makes an account with the lines of the page, gets a certificate, renews and revokes it", async () => {
  const host = hostOf("dehydrated");
  const { lines } = await linesOf("dehydrated", host);
  expectDone(await shell(lines));
  expect(statSync(join(folder, "etc/dehydrated/portal.conf")).mode & 0o777).toBe(0o600); // it has the MAC key
  const read = () => certificateIn("etc/dehydrated/certs", host, "cert.pem");
  const first = read();
  expectIssued(first, host);
  const dehydrated = `dehydrated --config ${folder}/etc/dehydrated/portal.conf`;
  expectDone(await shell(`${dehydrated} --cron --force --domain ${host}`));
  const renewed = read();
  await expectRenewed(first, renewed);
  const revoked = await shell(`${dehydrated} --revoke ${folder}/etc/dehydrated/certs/${host}/cert.pem`);
  expectDone(revoked);
  expect(await stateOf(renewed)).toMatchObject({ status: "Revoked" });
});

test("[API-03] uacme makes an account with the lines of the page, gets a certificate, renews it, changes the account key and revokes it", async () => {
  const host = hostOf("uacme");
  const { lines, renewal, directory } = await linesOf("uacme", host);
  const uacme = `uacme --confdir ${folder}/uacme --acme-url ${directory}`;
  expect(await shell(lines.replaceAll("uacme --acme-url", `uacme --confdir ${folder}/uacme --acme-url`))).toMatchObject(
    { isDone: true },
  );
  const read = () => certificateIn("uacme", host, "cert.pem");
  const first = read();
  expectIssued(first, host);
  const issue = `${uacme} --type RSA --force issue ${host}`;
  const kept = await shell(issue);
  expect([kept.isDone, kept.output]).toEqual([false, expect.stringContaining("A new key is needed")]);
  const key = /delete \/etc\/ssl\/(\S+\.pem)/.exec(renewal)?.[1] ?? "";
  rmSync(join(folder, key));
  expectDone(await shell(issue));
  const renewed = read();
  await expectRenewed(first, renewed);
  const before = readFileSync(join(folder, "uacme/private/key.pem"), "utf8");
  expectDone(await shell(`${uacme} --yes newkey`));
  expect(readFileSync(join(folder, "uacme/private/key.pem"), "utf8")).not.toBe(before);
  expectDone(await shell(`${uacme} revoke ${folder}/uacme/${host}/cert.pem`));
  expect(await stateOf(renewed)).toMatchObject({ status: "Revoked" });
});

test("[API-03] lego makes an account with the lines of the page, gets a certificate, renews and revokes it", async () => {
  const host = hostOf("lego");
  const { lines } = await linesOf("lego", host);
  expectDone(await shell(lines));
  const read = () => certificateIn(".lego/certificates", `${host}.crt`);
  const first = read();
  expectIssued(first, host);
  expectDone(await shell(lines.replace(/run$/, "renew --days 400 --no-random-sleep")));
  const renewed = read();
  await expectRenewed(first, renewed);
  expectDone(await shell(lines.replace(/run$/, "revoke")));
  expect(await stateOf(renewed)).toMatchObject({ status: "Revoked" });
});

test("[API-03] Caddy makes an account with the lines of the page, gets a certificate and renews it; its key revokes it", async () => {
  const host = hostOf("caddy");
  const { lines } = await linesOf("Caddy", host);
  const [http, https] = [await freePort(), await freePort()];
  writeFileSync(
    join(folder, "Caddyfile"),
    lines.replace("{\n", `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n`),
  );
  const start = async (isDone: () => boolean) => {
    const env = { NODE_ENV: "test", PATH: process.env.PATH, HOME: folder } as const;
    const child = spawn("caddy", ["run", "--config", "Caddyfile"], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
    const ended = new Promise((done) => child.on("exit", done));
    try {
      const isOver = () => isDone() || child.exitCode !== null || /"level":"error"/.test(output);
      await expect.poll(isOver, { timeout: 60_000, interval: 100 }).toBe(true);
      expect({ isDone: isDone(), output }).toEqual({ isDone: true, output });
    } finally {
      child.kill();
      await ended;
    }
  };
  const base = join(
    folder,
    ".local/share/caddy/certificates",
    `localhost-${new URL(portal.origin()).port}-acme-directory`,
    host,
    host,
  );
  const isThere = () => existsSync(`${base}.json`);
  const latest = () => new X509Certificate(readFileSync(`${base}.crt`));
  await start(isThere);
  const first = latest();
  expectIssued(first, host);
  rmSync(dirname(base), { recursive: true });
  await start(isThere);
  const renewed = latest();
  await expectRenewed(first, renewed);
  const keyFile = join(folder, "caddy.pem");
  writeFileSync(keyFile, createPrivateKey(readFileSync(`${base}.key`)).export({ type: "pkcs8", format: "pem" }));
  const holder = new AcmeClient(await clientKeyOf(keyFile), portal.origin());
  const certificate = renewed.raw.toString("base64url");
  expect((await holder.post("revoke-cert", { certificate }, {}, true)).status).toBe(200);
  expect(await stateOf(renewed)).toMatchObject({ status: "Revoked", revocationReason: 1 });
});

test("[API-03] acme-client gets a certificate with the program of the page, renews it, changes the account key and revokes it", async () => {
  const host = hostOf("acme-client");
  const { lines, directory } = await linesOf("acme-client", host);
  const place = join(folder, "program");
  mkdirSync(place);
  symlinkSync(resolve("node_modules"), join(place, "node_modules"));
  const runProgram = (program: string) => {
    writeFileSync(join(place, "program.mjs"), program);
    return run("sh", "-euc", `cd ${place} && ${process.execPath} program.mjs`);
  };
  expectDone(await runProgram(lines));
  const first = certificateIn("program/chain.pem");
  expectIssued(first, host);
  const again = `import { readFileSync, writeFileSync } from "node:fs";
import acme from "acme-client";
const client = new acme.Client({ directoryUrl: "${directory}", accountKey: readFileSync("account.pem") });
await client.createAccount({ termsOfServiceAgreed: true });
await client.updateAccountKey(await acme.crypto.createPrivateKey());
const [, csr] = await acme.crypto.createCsr({ altNames: ["${host}"] });
const order = await client.createOrder({ identifiers: [{ type: "dns", value: "${host}" }] });
const chain = await client.getCertificate(await client.finalizeOrder(order, csr));
writeFileSync("renewed.pem", chain);
await client.revokeCertificate(chain, { reason: 4 });`;
  expectDone(await runProgram(again));
  const renewed = certificateIn("program/renewed.pem");
  await expectRenewed(first, renewed);
  expect(await stateOf(renewed)).toMatchObject({ status: "Revoked", revocationReason: 4 });
});
