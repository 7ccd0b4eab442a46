import { type TestProject } from "vitest/node";
import { ensureBuilt } from "../../../scripts/build.mjs";
import { oncePerRun } from "../../support/once-per-run";
import { makeTemplate } from "../../support/template";
import { finishTemplate } from "./finish-template";

export default async function setup(project: TestProject) {
  ensureBuilt(["server", "command-line"]);
  let remove = () => {};
  const templateDir = await oncePerRun("TEST_TEMPLATE", async () => {
    const template = await makeTemplate();
    await finishTemplate(template.dir);
    ({ remove } = template);
    return template.dir;
  });
  project.provide("templateDir", templateDir);
  return remove;
}
