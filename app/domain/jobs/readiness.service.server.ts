import { getSigner } from "~/domain/authorities/signers.server";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";

const attempt = async (name: string, work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    logError(error, { code: "OCA0H01L" }); // A §8: health check error
    return `${name} does not answer`;
  }
};

/** What keeps the portal from working: the database, or an issuing CA whose key cannot be used. Empty = ready. */
export async function checkReadiness(): Promise<string[]> {
  const problems = await Promise.all([
    attempt("database", () => getDb().selectFrom("countries").select("id").limit(1).execute()),
    attempt("issuing-sha2", () => getSigner("issuing-sha2")),
    attempt("issuing-g3", () => getSigner("issuing-g3")),
  ]);
  return problems.filter((problem) => problem !== null);
}
