import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { BADKEYS_BYTES } from "~/ca/csr/key-fingerprints.server";
import { explainFileError, FileProblem } from "~/lib/file-problem.server";
import { type KeyLine, type KeySource } from "./key-file.server";

/** The length in bytes of an entry of blocklist.dat: a fingerprint and the id of its subset (docs/BLOCKLISTFORMAT.md of badkeys). */
const ENTRY = BADKEYS_BYTES + 1;

/** The parts of badkeysdata.json that are read: the address of the blocklist and the names of its subsets. */
const catalogueSchema = z.object({
  bkformat: z.literal(0, { errorMap: () => ({ message: "its format is not 0, the only one that is known here" }) }),
  blocklist_url: z.string().url(),
  blocklist_sha256: z.string().regex(/^[\da-f]{64}$/i),
  blocklists: z.array(
    z.object({ id: z.coerce.number().int(), name: z.string().max(100), repo: z.string().default("") }),
  ),
});

export type BadkeysCatalogue = z.infer<typeof catalogueSchema>;

/** Reads badkeysdata.json. Throws a FileProblem when the text is something else. */
export function readCatalogue(text: string, label: string): BadkeysCatalogue {
  try {
    return catalogueSchema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? (error.issues[0]?.message ?? "") : "it is not JSON";
    throw new FileProblem(`${label} is not the badkeysdata.json of badkeys: ${reason}.`);
  }
}

const isDebian = ({ name, repo }: { name: string; repo: string }) => /debian/i.test(`${name} ${repo}`);

const listName = (name: string) => `badkeys ${name}`;

/** Returns whether the size of a file is that of a blocklist. */
export const hasBlocklistSize = async (file: string): Promise<boolean> => {
  const { size } = await stat(file);
  return size > 0 && size % ENTRY === 0;
};

/**
 * Returns the keys of blocklist.dat. Each key belongs to the list of its subset. Entries out of order are reported as problems, because the
 * file is then not a blocklist.
 */
export function badkeysSource(file: string, label: string, catalogue: BadkeysCatalogue | null): KeySource {
  const subsets = new Map(catalogue?.blocklists.map((subset) => [subset.id, subset]));
  const nameOf = (id: number) => listName(subsets.get(id)?.name ?? `subset ${id}`);
  return {
    label,
    name: "badkeys",
    debianLists: new Set([...subsets.values()].filter(isDebian).map(({ name }) => listName(name))),
    read: async function* () {
      let line = 1;
      let rest: Buffer = Buffer.alloc(0);
      let previous: Buffer = Buffer.alloc(0);
      try {
        for await (const chunk of createReadStream(file)) {
          const bytes = Buffer.concat([rest, chunk as Buffer]);
          const lines: KeyLine[] = [];
          let at = 0;
          for (; at + ENTRY <= bytes.length; at += ENTRY) {
            const fingerprint = Buffer.from(bytes.subarray(at, at + BADKEYS_BYTES));
            const isSorted = Buffer.compare(previous, fingerprint) <= 0;
            lines.push(
              isSorted ? { fingerprint, list: nameOf(bytes[at + BADKEYS_BYTES] ?? 0) } : { problem: "is not sorted" },
            );
            previous = fingerprint;
          }
          rest = Buffer.from(bytes.subarray(at));
          yield { line, lines };
          line += lines.length;
        }
      } catch (error) {
        throw explainFileError(error, label);
      }
    },
  };
}
