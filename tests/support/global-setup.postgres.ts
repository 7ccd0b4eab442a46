import { type TestProject } from "vitest/node";
import { startPostgres } from "./postgres";
import { makeTemplate } from "./template";

export default async function setup(project: TestProject) {
  const server = await startPostgres();
  await server.createDatabase("template");
  const { dir, remove } = await makeTemplate(`${server.url}/template`);
  project.provide("templateDir", dir);
  project.provide("postgresUrl", server.url);
  return async () => {
    remove();
    await server.stop();
  };
}
