import { type TestProject } from "vitest/node";
import { ensureBuilt } from "../../../scripts/build.mjs";
import { startPostgres } from "../../support/postgres";
import { makeTemplate } from "../../support/template";
import { finishTemplate } from "./finish-template";

export default async function setup(project: TestProject) {
  ensureBuilt(["server", "command-line"]);
  const server = await startPostgres();
  await server.createDatabase("template");
  const databaseUrl = `${server.url}/template`;
  const { dir, remove } = await makeTemplate(databaseUrl);
  await finishTemplate(dir, databaseUrl);
  project.provide("templateDir", dir);
  project.provide("postgresUrl", server.url);
  return async () => {
    remove();
    await server.stop();
  };
}
