import { getEnv } from "~/lib/env.server";

/** The public address of the portals of tests. */
export const TEST_ORIGIN = "http://portal.test";

/** Sets environment variables and makes the portal read them again, as after a restart. */
export function setVariables(values: Record<string, string>): void {
  Object.assign(process.env, values);
  getEnv.clear();
}

/** Sets one environment variable and makes the portal read it again. */
export const setVariable = (name: string, value: string): void => setVariables({ [name]: value });

/** The environment variables of the worker before its first test file. */
export const initialVariables: Readonly<Record<string, string | undefined>> = { ...process.env };
