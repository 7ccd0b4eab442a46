import { fork } from "node:child_process";
import cluster, { Worker } from "node:cluster";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { AggregatorRegistry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { answerWorkers } from "~/domain/metrics/process-metrics.server";

test("[GEN-02] a worker that exits before its metrics are answered does not stop the primary", async () => {
  answerWorkers();
  onTestFinished(() => void cluster.removeAllListeners("message"));
  const child = fork("-", { execArgv: ["--eval", ""], stdio: "ignore" });
  await once(child, "exit");
  const worker = new (Worker as unknown as new (options: object) => Worker)({ id: 1, process: child });
  const errors: unknown[] = [];
  worker.on("error", (error) => errors.push(error));
  cluster.emit("message", worker, { type: "marque:metrics", id: 1 });
  await new AggregatorRegistry().clusterMetrics(); // this request was sent later, so the worker has been answered
  await setImmediate();
  expect(errors).toEqual([]);
});
