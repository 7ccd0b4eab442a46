/**
 * Creates something that all projects of a run share. The projects are prepared one after the other, each with separate instances of the
 * modules, so the first result is stored in this environment variable. Resolves with the name of the result.
 */
export const oncePerRun = async (variable: string, make: () => Promise<string>): Promise<string> =>
  (process.env[variable] ??= await make());
