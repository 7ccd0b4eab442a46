import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "csv-stringify/sync";

/** Hands these rows over as a CSV file that is gone afterwards: the demo comes in by the importers' own doors. */
export async function asCsvFile<T>(
  rows: readonly Record<string, string | number>[],
  use: (file: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "marque-demo-"));
  try {
    const file = join(directory, "demo.csv");
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    await writeFile(file, stringify([...rows], { header: true, columns }), { mode: 0o600 });
    return await use(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What an importer is told of a row that it does not take: here that is a mistake of ours. */
export const onProblem = (line: number, { field, message }: { field?: string | undefined; message: string }): void => {
  throw new Error(`demo, line ${line}, ${field ?? ""}: ${message}`);
};
