import { type ChildProcess, fork } from "node:child_process";
import cluster from "node:cluster";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CaError } from "~/ca/errors.server";
import { allowedNames } from "~/lib/allowed-names.server";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { log } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { isSocketLive } from "~/lib/socket.server";
import { type ChildReport } from "~/signer/protocol";

const PROGRAM = resolve("build/portal.js");

/** How long whoever needs the signer waits until it listens, in milliseconds. */
const PATIENCE_MS = 15_000;
/** How often it is looked whether the signer listens, in milliseconds. */
const POLL_MS = 20;
/** How long another process that has the folder of the signer may take to begin to listen, before another signer is tried, in milliseconds. */
const OTHERS_MS = 1_000;
/**
 * How long the server waits before it starts a signer again that has ended, in milliseconds. It doubles with each attempt, up to less than
 * whoever needs the signer waits.
 */
const RESTART_MS = { first: 250, longest: 10_000 };
/** A signer that ran for so long, in milliseconds, is started again without a longer wait. */
const SOUND_MS = 10_000;
/** How long a signer may take to end, in milliseconds. */
const LONGEST_END_MS = 12_000;

/** The levels of the log at which the signer of a command may log. What it prints is between the lines of the command. */
const QUIET = ["warn", "error", "silent"];

/**
 * Returns the environment of the signer. It has the rules of this portal's configuration where its own variables do not say something else.
 * In a command, it logs only what is wrong.
 */
function environmentOf(isOfServer: boolean): NodeJS.ProcessEnv {
  const { certificates } = getConfig();
  const { env } = process;
  const level = getEnv().logLevel;
  return {
    ...env,
    SIGNER_CHILD: "yes",
    SIGNER_ALLOW_NAMES: env.SIGNER_ALLOW_NAMES || allowedNames().join(","),
    SIGNER_KEY_ALGORITHMS: env.SIGNER_KEY_ALGORITHMS || certificates.keyAlgorithms.join(","),
    SIGNER_POLICY_OID: env.SIGNER_POLICY_OID || certificates.policyOid,
    LOG_LEVEL: isOfServer || QUIET.includes(level) ? level : "warn",
  };
}

/** A signer that ran, or was to run. */
interface Run {
  child: ChildProcess;
  startedAt: number;
  report: ChildReport | null;
}

/**
 * The signer that this process starts where the portal has no other one (`startsSigner`), as a child that ends with this process. The server
 * keeps it running. A command starts it when it needs a signature and no signer listens, and ends it at its own end.
 */
class OwnSigner {
  private run: Run | null = null;
  private restart: NodeJS.Timeout | null = null;
  private waitMs = RESTART_MS.first;
  private isEnding = false;
  /** Until when another process may take to begin to listen, in milliseconds of this process. */
  private othersUntil = 0;
  /** Why the last signer ended, as a sentence. Null while nothing is known against another attempt. */
  private problem: string | null = null;

  private get socketPath(): string {
    return getEnv().signer.socketPath ?? "";
  }

  constructor(private readonly isOfServer: boolean) {}

  /** Starts the signer unless it runs. */
  start(): void {
    if (this.run !== null || this.isEnding) return;
    if (this.restart) clearTimeout(this.restart);
    this.restart = null;
    this.problem = null;
    const child = fork(PROGRAM, ["signer", "serve"], {
      env: environmentOf(this.isOfServer),
      execArgv: [],
      stdio: ["ignore", this.isOfServer ? "inherit" : 2, "inherit", "ipc"],
    });
    if (!this.isOfServer) {
      child.unref(); // a command ends when its work is done
      child.channel?.unref();
    }
    const run: Run = { child, startedAt: performance.now(), report: null };
    this.run = run;
    child.on("message", (report) => (run.report = report as ChildReport));
    child.once("error", (error) => this.ended(run, error.message));
    child.once("exit", (code, signal) => this.ended(run, code === null ? `signal ${signal}` : `code ${code}`));
  }

  private ended(run: Run, how: string): void {
    if (this.run !== run) return;
    this.run = null;
    if (this.isEnding) return;
    const { report } = run;
    if (report?.state === "in-use") this.othersUntil = performance.now() + OTHERS_MS;
    if (report?.state === "failed") this.problem = report.problem;
    else if (report === null) this.problem = `It ended with ${how} before it listened.`;
    if (!this.isOfServer) return;
    if (performance.now() - run.startedAt > SOUND_MS) this.waitMs = RESTART_MS.first;
    const line = { how, problem: this.problem, againInMs: this.waitMs };
    if (report?.state === "in-use") log().info(line, "another process of this portal runs the signer");
    else log().error(line, "the signer has ended; it is started again");
    this.restart = setTimeout(() => this.start(), this.waitMs);
    this.waitMs = Math.min(this.waitMs * 2, RESTART_MS.longest);
  }

  /**
   * Waits until a signer listens, whoever started it. Starts one when none does and the last one had no problem.
   *
   * @throws CaError `signer` with the problem, or when it takes too long.
   */
  async requireLive(): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (!(await isSocketLive(this.socketPath))) {
      if (this.problem !== null || performance.now() > until)
        throw new CaError("signer", `The signer that the portal starts does not run. ${this.problem ?? ""}`.trim());
      if (!cluster.isWorker && this.restart === null && performance.now() >= this.othersUntil) this.start();
      await sleep(POLL_MS);
    }
  }

  /** Ends the signer if this process started it. Resolves when its open requests are answered and it has ended. */
  async end(): Promise<void> {
    this.isEnding = true;
    if (this.restart) clearTimeout(this.restart);
    if (!this.run) return;
    const { child } = this.run;
    child.ref();
    const exit = once(child, "exit");
    const tooLong = setTimeout(() => child.kill("SIGKILL"), LONGEST_END_MS);
    if (child.connected) child.disconnect();
    await exit;
    clearTimeout(tooLong);
  }
}

const ownSigner = memoize(() => new OwnSigner(false));

/** Starts the portal's own signer and keeps it running until `endOwnSigner`. Does nothing where the portal starts none. */
export function keepOwnSigner(): void {
  if (!getEnv().startsSigner) return;
  ownSigner.replace(new OwnSigner(true));
  ownSigner().start();
}

/**
 * Waits until the portal's own signer listens, and starts it for this process when no process has done so.
 *
 * @throws CaError `signer` when it does not start.
 */
export const requireOwnSigner = (): Promise<void> => ownSigner().requireLive();

/** Ends the signer that this process has started, if any. */
export async function endOwnSigner(): Promise<void> {
  await ownSigner.peek()?.end();
  ownSigner.clear();
}
