import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "csv-stringify/sync";

/** Calls `use` with a temporary CSV file of these rows, because the demo uses the importers as operators do. */
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

/** Throws when an importer refuses a row, which is an error in the demo itself. */
export const onProblem = (line: number, { field, message }: { field?: string | undefined; message: string }): void => {
  throw new Error(`demo, line ${line}, ${field ?? ""}: ${message}`);
};
