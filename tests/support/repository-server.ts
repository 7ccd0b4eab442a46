import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import express from "express";
import { afterAll } from "vitest";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { ocspHandler } from "~/http/ocsp.server";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { loader } from "~/routes/repository.$file";
import { run } from "./visitor";

/**
 * Serves repository and OCSP over HTTP on loopback as server.ts does, until the end of the test file. `url` is for REPOSITORY_URL, `asked`
 * has the requested paths. Call it before `usePortal`, at the top of the file.
 */
export async function serveRepository(): Promise<{ url: string; ocsp: string; asked: string[] }> {
  const asked: string[] = [];
  const app = express();
  app.use((request, _response, next) => {
    asked.push(request.path);
    next();
  });
  app.use(ocspHandler(ocspResponder()));
  app.get("/repository/:file", (request, response, next) => {
    const { file } = request.params;
    run(loader, new Request(`http://repository.test${paths.repositoryFile(file)}`), { file })
      .then(async (answer) => {
        response.status(answer.status).set(Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      })
      .catch(next);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, ocsp: url + serverPaths.ocsp, asked };
}
