import { type TestProject } from "vitest/node";
import { ensureBuilt } from "../../../scripts/build.mjs";
import { finishTemplate } from "./finish-template";
import { makeTemplate } from "../../support/template";

export default async function setup(project: TestProject) {
  ensureBuilt(["server", "command-line"]);
  const { dir, remove } = await makeTemplate();
  await finishTemplate(dir);
  project.provide("templateDir", dir);
  return remove;
}
