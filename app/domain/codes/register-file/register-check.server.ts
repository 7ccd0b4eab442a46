import { type CsvRow } from "~/lib/csv/csv-file.server";
import { unshielded } from "~/lib/csv/csv-formulas";
import { nested, rowProblems, type RowProblem } from "~/lib/csv/csv-rows.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import {
  listCodesNamed,
  listEntitiesNamed,
  listOwners,
  type RegisterOwner,
} from "~db/repositories/code-register.server";
import { type CodeStatus, type CodeType } from "~db/tables";
import { type RegisterRow, type registerRowSchema } from "./register-row.schema";

export interface ReadRow {
  line: number;
  /** Code and sub-code as far as they can be read: what exists is left alone, whatever its row says. */
  name: string | null;
  /** Null when the row is wrong. */
  row: RegisterRow | null;
  problems: RowProblem[];
}

const nameIn = ({ code = "", subcode = "" }: Record<string, string>): string | null => {
  const name = `${code.trim()}${subcode.trim()}`.toUpperCase();
  return /^[0-9A-Z]{4}([0-9A-Z]{2})?$/.test(name) ? name : null;
};

/** Parses one row. Out: the code, or everything that is wrong with the row. */
export function readRow(csv: CsvRow, schema: ReturnType<typeof registerRowSchema>): ReadRow {
  const cells =
    csv.cells && Object.fromEntries(Object.entries(csv.cells).map(([name, text]) => [name, unshielded(text)]));
  const name = cells && nameIn(cells);
  const wrong = (problems: RowProblem[]) => ({ line: csv.line, name, row: null, problems });
  const foul = rowProblems({ ...csv, cells });
  if (!cells || foul.length > 0) return wrong(foul);
  const result = schema.safeParse(nested(cells));
  if (result.success) return { line: csv.line, name, row: result.data, problems: [] };
  return wrong(result.error.issues.map(({ path, message }) => ({ field: path.slice(0, 2).join("."), message })));
}

/** The account that a row means by its owner; or what is wrong with it, in words. */
export function ownerOf(name: string, owners: readonly RegisterOwner[]): RegisterOwner | string {
  const byName = owners.find(({ username }) => username === name);
  const byEmail = owners.filter(({ email, mergedInto }) => email === name && mergedInto === null);
  const found = byName ?? byEmail[0];
  if (!found) return "There is no such account.";
  if (!byName && byEmail.length > 1) return "Several accounts have this e-mail address: give the user name.";
  return found.mergedInto === null ? found : "This account was merged into another one.";
}

export const findOwners = (rows: readonly ReadRow[], db: DbOrTrx = getDb()) =>
  listOwners(db, [...new Set(rows.flatMap(({ row }) => row?.owner ?? []))]);

/** The names of codes and sub-codes of these rows that exist. */
export async function findExisting(rows: readonly ReadRow[]): Promise<Set<string>> {
  const codes = [...new Set(rows.flatMap(({ name }) => name?.slice(0, 4) ?? []))];
  return new Set((await listCodesNamed(getDb(), codes)).map(({ code, subcode }) => code + subcode));
}

type Reported = (line: number, problem: RowProblem) => void;
type Entity = { codeType: CodeType; status: CodeStatus };

const LOOKED_UP = 500;

/** What the rows of a file say about each other, and about the codes that there are. */
export class Register {
  private readonly lines = new Map<string, number>();
  private readonly entities = new Map<string, Entity>();
  private readonly children: { line: number; code: string; codeType: CodeType; status: CodeStatus }[] = [];
  private readonly parents: { line: number; code: string }[] = [];

  add({ code, subcode, codeType, status, directParent }: RegisterRow, line: number, report: Reported): void {
    const first = this.lines.get(code + subcode);
    if (first !== undefined) return report(line, { field: "code", message: `Line ${first} has this code, too.` });
    this.lines.set(code + subcode, line);
    if (subcode === "") this.entities.set(code, { codeType, status });
    else this.children.push({ line, code, codeType, status });
    if (directParent !== "") this.parents.push({ line, code: directParent });
  }

  /** To be called after the last row. */
  async finish(report: Reported): Promise<void> {
    await this.lookUp([...this.children, ...this.parents].map(({ code }) => code));
    for (const child of this.children) {
      const problem = this.problemOf(child);
      if (problem) report(child.line, problem);
    }
    for (const { line, code } of this.parents) {
      const parent = this.entities.get(code);
      if (!parent || parent.codeType === "OFTP")
        report(line, {
          field: "directParent",
          message: "Please specify an OSCAR code if you wish to use a direct parent.",
        });
    }
  }

  private problemOf({ code, codeType, status }: { code: string } & Entity): RowProblem | null {
    const parent = this.entities.get(code);
    if (!parent)
      return { field: "code", message: "There is no such code for this sub code, neither here nor in the file." };
    if (parent.codeType === "OFTP") return { field: "subcode", message: "An OFTP code has no sub codes." };
    if (parent.codeType !== codeType)
      return { field: "codeType", message: "The code of this sub code has another type." };
    if (status === "Registered" && parent.status !== "Registered")
      return { field: "status", message: `The code of this sub code is ${parent.status}.` };
    return null;
  }

  private async lookUp(codes: readonly string[]): Promise<void> {
    const missing = [...new Set(codes)].filter((code) => !this.entities.has(code));
    for (let from = 0; from < missing.length; from += LOOKED_UP)
      for (const entity of await listEntitiesNamed(getDb(), missing.slice(from, from + LOOKED_UP)))
        this.entities.set(entity.code, entity);
  }
}
