import { generateKeyPairSync } from "node:crypto";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

const LOOP = `
  const { createPrivateKey, randomBytes, sign } = require("node:crypto");
  const { parentPort, workerData } = require("node:worker_threads");
  const privateKey = createPrivateKey(workerData.pem);
  const tbs = randomBytes(1200);
  parentPort.once("message", () => {
    const end = performance.now() + workerData.ms;
    let count = 0;
    for (; performance.now() < end; count += 1) sign("sha256", tbs, privateKey);
    parentPort.postMessage(count);
  });
  parentPort.postMessage("ready");`;

const MS = 600 * Number(process.env.BENCH_SECONDS ?? 5);

/** Returns the number of RSA signatures (SHA-256) per second that this machine makes on all cores when it does nothing else. */
export async function rawSigningRate({ bits = 4096, ms = MS } = {}): Promise<number> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  const workerData = { pem: privateKey.export({ type: "pkcs8", format: "pem" }), ms };
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(LOOP, { eval: true, workerData }));
  const next = <T>(worker: Worker) => new Promise<T>((resolve) => worker.once("message", resolve));
  await Promise.all(workers.map((worker) => next(worker)));
  const counts = workers.map((worker) => next<number>(worker));
  for (const worker of workers) worker.postMessage("go");
  const total = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  await Promise.all(workers.map((worker) => worker.terminate()));
  return (total * 1000) / ms;
}

/** A rate of certificates, and that of raw signatures shortly before and after, because a machine is not equally quick all the time. */
export interface Rate {
  rate: number;
  raw: number;
}

export const mean = (one: number, other: number) => (one + other) / 2;

/** Measures a rate, and that of raw signatures before and after it. */
export async function besideRaw(measureRate: () => Promise<number>): Promise<Rate> {
  const before = await rawSigningRate();
  const rate = await measureRate();
  return { rate, raw: mean(before, await rawSigningRate()) };
}
