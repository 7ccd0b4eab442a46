// What other programs on this machine take for the same work. Each function returns null when its program is not installed.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/postgres";
import { atOnce, perSecond, timed } from "./portal";
import { reportVersion } from "./report";

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ""} failed: ${stderr}`);
  return stdout;
}

/** Returns whether a program is installed, and reports its version if it is. */
function isInstalled(command: string, ...args: readonly string[]): boolean {
  const { error, stdout } = spawnSync(command, args, { encoding: "utf8" });
  if (error) return false;
  const [, version = stdout.trim()] = /Version: (\S+)/.exec(stdout) ?? [];
  reportVersion(version.startsWith(command) ? version : version.replace(/^(?=\d)/, `${command} `));
  return true;
}

async function inFolder<T>(work: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "marque-peers-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes a CA with an RSA key in this folder: `ca.pem` and `ca.key`. */
function makeCa(folder: string, bits: number): void {
  const [key, certificate] = [join(folder, "ca.key"), join(folder, "ca.pem")];
  const subject = ["-subj", "/CN=Bench CA", "-days", "30"];
  run("openssl", "req", "-x509", "-newkey", `rsa:${bits}`, "-nodes", "-keyout", key, "-out", certificate, ...subject);
}

const COUNT = Number(process.env.BENCH_ORDERS ?? 600);

/** Returns how many certificates per second cfssl signs over HTTP with an RSA-4096 key. It stores nothing. */
export async function cfsslSigningRate(callers: number): Promise<number | null> {
  if (!isInstalled("cfssl", "version") || !isInstalled("openssl", "version")) return null;
  return inFolder(async (folder) => {
    makeCa(folder, 4096);
    const [key, request] = [join(folder, "key.pem"), join(folder, "csr.pem")];
    run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=a.example");
    const body = JSON.stringify({ certificate_request: readFileSync(request, "utf8"), hostname: "a.example" });
    const port = String(await freePort());
    const ca = ["-ca", join(folder, "ca.pem"), "-ca-key", join(folder, "ca.key")];
    const server = spawn("cfssl", ["serve", ...ca, "-address", "127.0.0.1", "-port", port], { stdio: "ignore" });
    const sign = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/cfssl/sign`, { method: "POST", body });
      if (!((await answer.json()) as { success: boolean }).success) throw new Error("cfssl signed nothing.");
    };
    try {
      await untilAnswers(sign);
      const items = Array.from({ length: COUNT });
      return perSecond(COUNT, await timed(() => atOnce(callers, items, sign)));
    } finally {
      server.kill();
    }
  });
}

async function untilAnswers(ask: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const isReady = await ask().then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("cfssl did not answer.");
}

/** Returns how many milliseconds openssl takes to make a CRL of this many entries with an RSA-4096 key. */
export async function opensslCrlTime(entries: number): Promise<number | null> {
  if (!isInstalled("openssl", "version")) return null;
  return inFolder((folder) => {
    makeCa(folder, 4096);
    const file = (name: string) => join(folder, name);
    const entry = () =>
      `R\t400101000000Z\t260101000000Z\t7${randomBytes(15).toString("hex").toUpperCase()}0\tunknown\t/CN=a\n`;
    writeFileSync(file("index.txt"), Array.from({ length: entries }, entry).join(""));
    writeFileSync(file("crlnumber"), "01\n");
    writeFileSync(
      file("ca.cnf"),
      `[ca]\ndefault_ca = own\n[own]\ndatabase = ${file("index.txt")}\ncrlnumber = ${file("crlnumber")}\n` +
        `certificate = ${file("ca.pem")}\nprivate_key = ${file("ca.key")}\ndefault_md = sha256\ndefault_crl_days = 1\n`,
    );
    return timed(() => run("openssl", "ca", "-gencrl", "-config", file("ca.cnf"), "-out", file("crl.pem")));
  });
}
