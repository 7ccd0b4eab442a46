import cluster from "node:cluster";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, register } from "prom-client";

/** The type of the messages between a worker and the primary. */
const QUESTION = "marque:metrics";

interface Message {
  type?: unknown;
  id?: unknown;
  text?: unknown;
}

/** How many milliseconds a worker waits for the primary. This is longer than prom-client waits for the workers. */
const PATIENCE_MS = 8000;

let questions = 0;

/** Returns the metrics that the primary has added up for all workers. */
const askPrimary = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const id = (questions += 1);
    const end = setTimeout(() => finish(new Error("The metrics of the other processes did not come.")), PATIENCE_MS);
    const hear = (message: Message) => {
      if (message.type !== QUESTION || message.id !== id) return;
      finish(typeof message.text === "string" ? message.text : new Error("The metrics could not be added up."));
    };
    const finish = (outcome: string | Error) => {
      clearTimeout(end);
      process.off("message", hear);
      if (typeof outcome === "string") resolve(outcome);
      else reject(outcome);
    };
    process.on("message", hear);
    process.send?.({ type: QUESTION, id });
  });

/** Returns the metrics of this process, or those of all workers of this machine together, in Prometheus' text format. */
export const processMetrics = (): Promise<string> => (cluster.isWorker ? askPrimary() : register.metrics());

/** Runs in the primary. Adds up the metrics of all workers for each worker that asks. */
export function answerWorkers(): void {
  const all = new AggregatorRegistry();
  cluster.on("message", (worker, { type, id }: Message) => {
    if (type !== QUESTION) return;
    // The worker may have ended meanwhile. Without a callback, that error would end the primary, and all workers with it.
    const answer = (text: string | null) => worker.send({ type, id, text }, () => undefined);
    all.clusterMetrics().then(answer, () => answer(null));
  });
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
  if (cluster.isWorker) new AggregatorRegistry(); // the registry answers the primary
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
