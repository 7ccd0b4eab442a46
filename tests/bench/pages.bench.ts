// Pages per second of the real portal in one process, beside a bare server of the same bytes or the same elements: `npm run bench pages`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createRequestHandler } from "@remix-run/express";
import { type ServerBuild } from "@remix-run/node";
import express from "express";
import { paths } from "~/lib/paths";
import { freePort } from "../support/postgres";
import { answersPerSecond, untilReady } from "./load";
import { withPortal } from "./portal";
import { report } from "./report";
import { bareBuild, treeOf } from "./static-page";

const LOAD = { connections: 8, pipelined: 1 };

const requestFor = (path: string) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n`);

const BARE = { bytes: "/bytes", short: "/short", page: paths.login() };

/** Serves, in a process of its own, bytes as long as a stored page, a short text, and a page whose elements are those of the sign-in page. */
async function serveBare([port = "", url = ""]: readonly string[]): Promise<void> {
  const { build } = (await import(pathToFileURL(resolve("build/index.js")).href)) as { build: ServerBuild };
  const html = await (await fetch(url)).text();
  const app = express();
  const answer = createRequestHandler({ build: bareBuild(build, treeOf(html)), mode: "production" });
  app.use((request, response, next) => void answer(request, response, next));
  const bytes = Buffer.alloc(6000, "x");
  createServer((request, response) => {
    if (request.url === BARE.bytes) response.writeHead(200, { "Content-Length": bytes.length }).end(bytes);
    else if (request.url === BARE.short) response.writeHead(200, { "Content-Length": 3 }).end("ok\n");
    else void app(request, response);
  }).listen(Number(port), "127.0.0.1");
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, "exit");
}

async function compare(port: number, bare: number): Promise<void> {
  const rate = (server: number, path: string) => answersPerSecond(server, [requestFor(path)], LOAD);
  for (const { name, path, beside, must } of [
    { name: "Sign-in page", path: paths.login(), beside: BARE.page, must: { of: "ratio", atLeast: 0.4 } },
    {
      name: "Public repository page",
      path: paths.publicRepository,
      beside: BARE.bytes,
      must: { of: "measured", atLeast: 2000 },
    },
    { name: "/healthz", path: "/healthz", beside: BARE.short, must: { of: "measured", atLeast: 10_000 } },
  ] as const) {
    const [measured, value] = [await rate(port, path), await rate(bare, beside)];
    const comparedWith = { name: beside === BARE.page ? "a bare Remix page" : "bare node:http", value };
    report({ name: `${name} over HTTP, one process`, measured, unit: "/s", comparedWith, must });
  }
}

async function measure(): Promise<void> {
  const [port, bare] = [await freePort(), await freePort()];
  const variables = { PORT: String(port), HOST: "127.0.0.1", PUBLIC_URL: `http://localhost:${port}` };
  await withPortal(
    "sqlite",
    async ({ env }) => {
      const spawned = (args: readonly string[]) =>
        spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });
      const portal = spawned(["build/index.js"]);
      const origin = `http://127.0.0.1:${port}`;
      try {
        await untilReady(`${origin}/readyz`);
        const other = spawned([fileURLToPath(import.meta.url), String(bare), `${origin}${paths.login()}`]);
        try {
          await untilReady(`http://127.0.0.1:${bare}${BARE.page}`);
          await compare(port, bare);
        } finally {
          await end(other);
        }
      } finally {
        await end(portal);
      }
    },
    variables,
  );
}

if (process.argv.length > 2) await serveBare(process.argv.slice(2));
else await measure();
