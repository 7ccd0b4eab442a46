import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER } from "../../scripts/build.mjs";
import { freePort } from "./postgres";
import { type Relay, startRelay } from "./relay";
import { TEST_SECRETS, writeConfig } from "./template";

const PROCESSES_EACH = 2;
const DEPLOY = "deploy/nginx";

/** A machine of its own: a network namespace where TEST_NAMESPACES is set and the tests run as root, otherwise an address of this machine. */
interface Machine {
  address: string;
  dataDir: string;
  /** The way from this machine to PostgreSQL. */
  relay: Relay;
  /** What a command line on this machine begins with. */
  prefix: readonly string[];
  remove: () => void;
}

/** A portal in a process of its own. */
export interface MachineProcess {
  /** Its own address, behind the reverse proxy. */
  origin: string;
  dataDir: string;
  start: () => Promise<void>;
  /** Ends the process with this signal. Resolves with its exit code, or null after a signal that it could not catch. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}

const ip = (...args: readonly string[]) => execFileSync("ip", args, { stdio: "pipe" });

/** Makes a network namespace with one cable to this machine. Returns both ends' addresses, of the block for tests of networks (RFC 2544). */
function makeNamespace(number: number) {
  const name = `marque${process.pid}-${number}`;
  const [inner, outer] = [`198.18.${number}.2`, `198.18.${number}.1`];
  const cable = `mq${process.pid % 100_000}-${number}`;
  ip("netns", "add", name);
  ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name);
  ip("address", "add", `${outer}/30`, "dev", cable);
  ip("link", "set", cable, "up");
  ip("-n", name, "address", "add", `${inner}/30`, "dev", "eth0");
  for (const device of ["eth0", "lo"]) ip("-n", name, "link", "set", device, "up");
  return {
    address: inner,
    outer,
    prefix: ["ip", "netns", "exec", name],
    remove: () => void spawnSync("ip", ["netns", "delete", name]),
  };
}

const onThisMachine = (number: number) => ({
  address: `127.0.0.${number + 1}`,
  outer: "127.0.0.1",
  prefix: [],
  remove: () => undefined,
});

async function makeMachine(number: number, template: string, postgres: URL): Promise<Machine> {
  const { outer, ...network } = process.env.TEST_NAMESPACES ? makeNamespace(number) : onThisMachine(number);
  const dataDir = mkdtempSync(join(tmpdir(), `marque-machine-${number}-`));
  // What docs/operations.md says that every machine needs, and nothing else.
  cpSync(join(template, "ca"), join(dataDir, "ca"), { recursive: true });
  const relay = await startRelay(Number(postgres.port), outer);
  return { ...network, dataDir, relay };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Waits until something is so, for a minute at most. Throws an Error that names it. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); await sleep(20))
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}.`);
}

function portalOn(machine: Machine, port: number, env: Record<string, string>): MachineProcess {
  const origin = `http://${machine.address}:${port}`;
  let child: ChildProcess;
  let printed = "";
  return {
    origin,
    dataDir: machine.dataDir,
    start: async () => {
      const [program = "", ...args] = [...machine.prefix, process.execPath, SERVER];
      child = spawn(program, args, {
        env: {
          NODE_ENV: "production",
          PATH: process.env.PATH,
          HOST: machine.address,
          PORT: String(port),
          DATA_DIR: machine.dataDir,
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (printed += String(text)));
      await until(`${origin} is ready`, () => {
        if (child.exitCode !== null) throw new Error(`The portal ended:\n${printed}`);
        return answers(`${origin}/readyz`);
      });
    },
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts nginx with the configuration in `deploy`, in which only addresses, ports, certificates and the shortest time differ. */
async function startNginx(port: number, processes: readonly MachineProcess[], statusDir: string) {
  const dir = mkdtempSync(join(tmpdir(), "marque-nginx-"));
  mkdirSync(join(dir, "snippets"));
  const proxy = readFileSync(join(DEPLOY, "marque-proxy.conf"), "utf8").replace("/srv/marque-status", statusDir);
  writeFileSync(join(dir, "snippets/marque-proxy.conf"), proxy);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout", join(dir, "key.pem")];
  execFileSync("openssl", ["req", "-x509", ...key, "-subj", "/CN=localhost", "-out", join(dir, "cert.pem")], {
    stdio: "pipe",
  });
  const upstream = processes.map(({ origin }) => `server ${new URL(origin).host} max_fails=1 fail_timeout=2s;`);
  const site = readFileSync(join(DEPLOY, "marque.conf"), "utf8")
    .replace(/(  server [\d.:]+ .*\n)+/, `${upstream.join("\n")}\n`)
    .replace("keepalive_timeout 3s", "keepalive_timeout 300ms")
    .replace("listen 80", `listen 127.0.0.1:${port}`)
    .replace("listen 443", `listen 127.0.0.1:${await freePort()}`)
    .replace("/etc/ssl/portal.example.org.pem", join(dir, "cert.pem"))
    .replace("/etc/ssl/private/portal.example.org.key", join(dir, "key.pem"));
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  );
  const http = [...folders, "access_log off;", site].join("\n");
  const file = join(dir, "nginx.conf");
  writeFileSync(file, `daemon off; pid ${dir}/pid; error_log ${dir}/error.log; events {}\nhttp {\n${http}\n}\n`);
  const child = spawn("nginx", ["-p", dir, "-e", join(dir, "error.log"), "-c", file], { stdio: "inherit" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await until("nginx answers", () => answers(`http://localhost:${port}/healthz`));
  return async () => {
    child.kill("SIGQUIT");
    await ended;
    rmSync(dir, { recursive: true });
  };
}

/**
 * Starts four portals on two machines behind nginx.
 *
 * @param template The data folder of a portal that has been set up.
 * @param databaseUrl The address of its PostgreSQL database.
 */
export async function startMachines(template: string, databaseUrl: string, more: Record<string, string> = {}) {
  const postgres = new URL(databaseUrl);
  const machines = [await makeMachine(1, template, postgres), await makeMachine(2, template, postgres)];
  const port = await freePort();
  const processes: MachineProcess[] = [];
  // nginx reads it as another user when the tests run as root.
  const statusDir = mkdtempSync(join(tmpdir(), "marque-status-"));
  chmodSync(statusDir, 0o755);
  for (const machine of machines)
    for (let index = 0; index < PROCESSES_EACH; index += 1) {
      const url = new URL(databaseUrl);
      url.host = machine.prefix.length > 0 ? machine.address.replace(/2$/, "1") : "127.0.0.1";
      url.port = String(machine.relay.port);
      const env = {
        ...TEST_SECRETS,
        PORTAL_CONFIG: writeConfig(machine.dataDir),
        DATABASE_URL: url.href,
        PUBLIC_URL: `http://localhost:${port}`,
        TRUST_PROXY: "1",
        STOP_DELAY: "1",
        STATUS_DIR: statusDir,
        ...more,
      };
      processes.push(portalOn(machine, await freePort(), env));
    }
  await Promise.all(processes.map((process) => process.start()));
  const stopNginx = await startNginx(port, processes, statusDir);
  return {
    origin: `http://localhost:${port}`,
    machines,
    processes,
    end: async () => {
      await stopNginx();
      await Promise.all(processes.map((process) => process.end("SIGKILL")));
      rmSync(statusDir, { recursive: true });
      for (const { relay, dataDir, remove } of machines) {
        await relay.close();
        remove();
        rmSync(dataDir, { recursive: true });
      }
    },
  };
}
