import { type TestProject } from "vitest/node";
import { makeTemplate } from "./template";

export default async function setup(project: TestProject) {
  const { dir, remove } = await makeTemplate();
  project.provide("templateDir", dir);
  return remove;
}
