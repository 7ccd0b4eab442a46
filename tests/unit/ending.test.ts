import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { graceful } from "~/http/ending.server";

/** Sends a form in a thread of its own. Sets `sent[0]` when the form is on its way, and posts the answer. */
const SENDER = `
const { parentPort, workerData: { port, sent } } = require("node:worker_threads");
let answer = "";
const socket = require("node:net").connect(port, "127.0.0.1", () =>
  socket.write("POST / HTTP/1.1\\r\\nHost: portal.test\\r\\nContent-Length: 0\\r\\n\\r\\n", () => {
    Atomics.store(sent, 0, 1);
    Atomics.notify(sent, 0);
  }));
socket.on("data", (data) => (answer += data));
socket.on("error", ({ code }) => (answer = code));
socket.on("close", () => parentPort.postMessage(answer));`;

test("[GEN-02] a form that arrives while a process that ends is busy is still answered", async () => {
  const server = createServer((_request, response) => response.end("stored"));
  const end = graceful(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const sender = new Worker(SENDER, { eval: true, workerData: { port: (server.address() as AddressInfo).port, sent } });
  const answer = once(sender, "message");
  const ended = end(1);
  Atomics.wait(sent, 0, 0, 20_000); // this thread is busy, and the time to end comes meanwhile
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 200/);
  await ended;
});
