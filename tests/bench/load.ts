import { connect } from "node:net";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

/** The status line by which answers are counted. An answer with another status is not counted. */
const STATUS = "HTTP/1.1 200";

export interface Load {
  connections: number;
  /** The number of requests that are sent on a connection before their answers arrive. */
  pipelined: number;
}

/** Resolves when a server answers this address with 200. Throws after two minutes. */
export async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not answer.`);
}

/** Sends requests over one connection until the deadline. Returns the number of answers. */
function drive(port: number, requests: readonly Buffer[], pipelined: number, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setNoDelay(true);
    let [next, answers] = [Math.floor(Math.random() * requests.length), 0];
    const send = () => socket.write(requests[(next += 1) % requests.length] ?? "");
    socket.on("connect", () => {
      for (let index = 0; index < pipelined; index += 1) send();
    });
    socket.on("data", (chunk: Buffer) => {
      for (let at = chunk.indexOf(STATUS); at >= 0; at = chunk.indexOf(STATUS, at + 1)) {
        answers += 1;
        send();
      }
      if (Date.now() > deadline) {
        socket.destroy();
        resolve(answers);
      }
    });
    socket.on("error", reject);
  });
}

/**
 * Returns how many requests per second a server on this machine answers with 200, after a warm-up. Throws when it answers none.
 *
 * @param requests Whole HTTP requests, which are sent in turn.
 */
export async function answersPerSecond(
  port: number,
  requests: readonly Buffer[],
  { connections, pipelined }: Load,
): Promise<number> {
  const run = async (seconds: number) => {
    const deadline = Date.now() + seconds * 1000;
    const all = Array.from({ length: connections }, () => drive(port, requests, pipelined, deadline));
    return (await Promise.all(all)).reduce((sum, count) => sum + count, 0);
  };
  await run(SECONDS / 2.5);
  const from = Date.now();
  const answers = await run(SECONDS);
  if (answers === 0) throw new Error("No answers.");
  return answers / ((Date.now() - from) / 1000);
}
