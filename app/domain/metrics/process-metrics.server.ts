import cluster, { type Worker } from "node:cluster";
import { type EventEmitter } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, register } from "prom-client";

/** What the processes ask each other: a worker for the sums of all workers, the primary for the part of each. */
const SUMS = "marque:metrics of all processes";
const PART = "marque:metrics of one process";

type Part = Awaited<ReturnType<typeof register.getMetricsAsJSON>>;

/** A question, or the answer to it, which has the same type and id. */
interface Message {
  type?: unknown;
  id?: unknown;
  answer?: unknown;
  error?: string;
}

/** The process at the other end: the primary for a worker, a worker for the primary. */
type Other = EventEmitter & { send?: (message: Message, sent: () => void) => boolean };

/** How many milliseconds the primary waits for the workers. */
const PART_MS = 5000;

/** How many milliseconds a worker waits for the primary. This is longer than the primary waits for the workers. */
const SUMS_MS = 8000;

let questions = 0;

/**
 * Asks the other process and returns its answer, or null when it ends meanwhile. Throws an error when it does not answer in time, or cannot
 * answer.
 */
const ask = (other: Other, type: string, patienceMs: number): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const id = (questions += 1);
    const late = setTimeout(() => finish({ error: `No answer within ${patienceMs} ms.` }), patienceMs);
    const hear = (message: Message) => {
      if (message.type === type && message.id === id) finish(message);
    };
    const leave = () => finish({ answer: null });
    const finish = ({ answer, error }: Message) => {
      clearTimeout(late);
      other.off("message", hear).off("disconnect", leave);
      if (error === undefined) resolve(answer);
      else reject(new Error(error));
    };
    other.on("message", hear).on("disconnect", leave);
    // A process that has just ended cannot be asked. Without a callback, that error would end this process.
    other.send?.({ type, id }, () => undefined);
  });

/** Answers the other process whenever it asks this. */
function answer(other: Other, type: string, find: () => Promise<unknown>): void {
  other.on("message", (message: Message) => {
    if (message.type !== type) return;
    const reply = (found: Message) => void other.send?.({ type, id: message.id, ...found }, () => undefined);
    find().then(
      (answer) => reply({ answer }),
      (error: unknown) => reply({ error: String(error) }),
    );
  });
}

/** Returns the metrics of this process, or those of all workers of this machine together, in Prometheus' text format. */
export const processMetrics = async (): Promise<string> =>
  cluster.isWorker ? String(await ask(process, SUMS, SUMS_MS)) : register.metrics();

/**
 * Runs in the primary. Adds up the metrics of all workers for each worker that asks. A worker that still starts has nothing to add, and is
 * not asked, because it could not answer in time.
 */
export function answerWorkers(): void {
  const listening = new Set<Worker>();
  const sums = async () => {
    const parts = await Promise.all([...listening].map((worker) => ask(worker, PART, PART_MS)));
    return AggregatorRegistry.aggregate(parts.filter((part) => part !== null) as Part[]).metrics();
  };
  cluster.on("fork", (worker) => answer(worker, SUMS, sums));
  cluster.on("listening", (worker) => listening.add(worker));
  cluster.on("disconnect", (worker) => listening.delete(worker));
}

/** How often the delay of the event loop is sampled, in milliseconds. Each sample includes this time. */
const SAMPLE_MS = 10;
const QUANTILES = [0.5, 0.99, 0.999, 1];

/**
 * Measures how long work that is ready waits for the thread that answers requests, because something else holds it. The values are those
 * since the last reading; of several workers, the longest.
 */
function measureEventLoop(): void {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  new Gauge({
    name: "marque_event_loop_delay_seconds",
    help: "How long ready work waited for the event loop since the last reading",
    labelNames: ["quantile"],
    aggregator: "max",
    collect() {
      for (const quantile of QUANTILES) {
        const ms = delays.count > 0 ? delays.percentile(quantile * 100) / 1e6 - SAMPLE_MS : 0;
        this.set({ quantile }, Math.max(0, ms) / 1000);
      }
      delays.reset();
    },
  });
}

/**
 * Starts measuring this process: memory, CPU, event loop, requests and OCSP answers.
 *
 * @returns `measureRequest` records the duration of a request in seconds. `countOcsp` counts an OCSP answer by its responseStatus.
 */
export function beginMeasuring() {
  collectDefaultMetrics();
  measureEventLoop();
  if (cluster.isWorker) answer(process, PART, () => register.getMetricsAsJSON());
  const requests = new Histogram({
    name: "marque_http_request_duration_seconds",
    help: "Time from the request's arrival to the end of its answer",
    labelNames: ["route", "status"],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  // Counted here until the metrics are read, because counting there takes longer than finding a prepared answer.
  const ocspAnswers = new Map<string, number>();
  new Counter({
    name: "marque_ocsp_responses_total",
    help: "OCSP answers by responseStatus: successful, or the error of RFC 6960",
    labelNames: ["status"],
    collect() {
      for (const [status, count] of ocspAnswers) this.inc({ status }, count);
      ocspAnswers.clear();
    },
  });
  return {
    measureRequest: (labels: { route: string; status: string }, seconds: number) => requests.observe(labels, seconds),
    countOcsp: (status: string) => void ocspAnswers.set(status, (ocspAnswers.get(status) ?? 0) + 1),
  };
}
