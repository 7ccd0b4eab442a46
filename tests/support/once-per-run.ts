/**
 * Makes something that all projects of a run share. They are prepared one after the other, each by modules of its own: what the first one
 * made is kept in this variable. Resolves with the name of what was made.
 */
export const oncePerRun = async (variable: string, make: () => Promise<string>): Promise<string> =>
  (process.env[variable] ??= await make());
