import { type TestProject } from "vitest/node";
import { ensureBuilt } from "../../../scripts/build.mjs";
import { startPostgres } from "../../support/postgres";
import { makePortalTemplate } from "./portal-template";

export default async function setup(project: TestProject) {
  ensureBuilt(["server", "command-line", "worker"]);
  const server = await startPostgres();
  await server.createDatabase("template");
  const { dir, remove } = await makePortalTemplate(`${server.url}/template`);
  project.provide("templateDir", dir);
  project.provide("postgresUrl", server.url);
  return async () => {
    remove();
    await server.stop();
  };
}
