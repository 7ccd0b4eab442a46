import { type TestProject } from "vitest/node";
import { ensureBuilt } from "../../../scripts/build.mjs";
import { oncePerRun } from "../../support/once-per-run";
import { makePortalTemplate } from "./portal-template";

export default async function setup(project: TestProject) {
  ensureBuilt(["server", "command-line", "worker"]);
  let remove = () => {};
  const templateDir = await oncePerRun("TEST_TEMPLATE", async () => {
    const template = await makePortalTemplate();
    ({ remove } = template);
    return template.dir;
  });
  project.provide("templateDir", templateDir);
  return remove;
}
