import { type CsvRow } from "~/lib/csv/csv-file.server";
import { unescapeFormula } from "~/lib/csv/csv-formulas";
import { nested, rowProblems, type RowProblem } from "~/lib/csv/csv-rows.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { countSubcodesOf } from "~db/repositories/code-list.server";
import {
  listCodesNamed,
  listEntitiesNamed,
  listOwners,
  type RegisterOwner,
} from "~db/repositories/code-register.server";
import { type CodeStatus, type CodeType } from "~db/tables";
import { DIRECT_PARENT_MESSAGE, OWN_PARENT_MESSAGE, PARENT_CIRCLE_MESSAGE } from "../code-details.schema";
import { SUB_ENTITIES } from "../code-types";
import { allSubEntities } from "../codes.policy";
import {
  readFacts,
  type RegisterFacts,
  type RegisterRow,
  type registerRowSchema,
  ruleProblems,
} from "./register-row.schema";

export interface ReadRegisterRow {
  line: number;
  /** Code and sub-code, if they can be read: a code that exists is not changed, whatever its row contains. */
  name: string | null;
  /** Null when the row is wrong. */
  row: RegisterRow | null;
  /** The columns that are checked against other rows and the register. They can be valid although the row has other problems. */
  facts: RegisterFacts | null;
  problems: RowProblem[];
}

const nameIn = ({ code = "", subcode = "" }: Record<string, string>): string | null => {
  const name = `${code.trim()}${subcode.trim()}`.toUpperCase();
  return /^[0-9A-Z]{4}([0-9A-Z]{2})?$/.test(name) ? name : null;
};

/** Parses one row. Returns the code, or all problems of the row. */
export function readRegisterRow(csv: CsvRow, schema: ReturnType<typeof registerRowSchema>): ReadRegisterRow {
  const cells =
    csv.cells && Object.fromEntries(Object.entries(csv.cells).map(([name, text]) => [name, unescapeFormula(text)]));
  const name = cells && nameIn(cells);
  const foul = rowProblems({ ...csv, cells });
  if (!cells || foul.length > 0) return { line: csv.line, name, row: null, facts: null, problems: foul };
  const result = schema.safeParse(nested(cells));
  if (result.success) return { line: csv.line, name, row: result.data, facts: result.data, problems: [] };
  const problems = result.error.issues.map(({ path, message }) => ({ field: path.slice(0, 2).join("."), message }));
  const facts = readFacts(schema, nested(cells));
  const others = facts ? ruleProblems(facts).filter(({ field }) => problems.every((one) => one.field !== field)) : [];
  return { line: csv.line, name, row: null, facts, problems: [...problems, ...others] };
}

/** Returns the account that the owner column of a row names, or the problem in words. */
export function ownerOf(name: string, owners: readonly RegisterOwner[]): RegisterOwner | string {
  const byName = owners.find(({ username }) => username === name);
  const byEmail = owners.filter(({ email, mergedInto }) => email === name && mergedInto === null);
  const found = byName ?? byEmail[0];
  if (!found) return "There is no such account.";
  if (!byName && byEmail.length > 1) return "Several accounts have this email address: give the user name.";
  return found.mergedInto === null ? found : "This account was merged into another one.";
}

export const findOwners = (rows: readonly ReadRegisterRow[], db: DbOrTrx = getDb()) =>
  listOwners(db, [...new Set(rows.flatMap(({ facts }) => facts?.owner ?? []))]);

/** Returns the names of those codes and sub-codes of the rows that exist. */
export async function findExisting(rows: readonly ReadRegisterRow[]): Promise<Set<string>> {
  const codes = [...new Set(rows.flatMap(({ name }) => name?.slice(0, 4) ?? []))];
  return new Set((await listCodesNamed(getDb(), codes)).map(({ code, subcode }) => code + subcode));
}

type Reported = (line: number, problem: RowProblem) => void;

interface Entity {
  codeType: CodeType;
  status: CodeStatus;
  /** The maximum number of sub-entities; null and 0 mean no limit. */
  sbeMaxNumber: number | null;
  /** The number of sub-entities, including those of the file so far. */
  subEntities: number;
}

type Child = Pick<RegisterFacts, "code" | "codeType" | "status"> & { line: number };

const LOOKED_UP = 500;

const directParent = (message: string): RowProblem => ({ field: "directParent", message });

/** Finds conflicts among the rows of a file, and between them and the stored codes. */
export class Register {
  private readonly lines = new Map<string, number>();
  private readonly entities = new Map<string, Entity>();
  private readonly children: Child[] = [];
  private readonly parents: { line: number; code: string; of: string }[] = [];

  add(row: RegisterFacts, line: number, report: Reported): void {
    const { code, subcode, codeType, status } = row;
    const first = this.lines.get(code + subcode);
    if (first !== undefined) return report(line, { field: "code", message: `Line ${first} has this code, too.` });
    this.lines.set(code + subcode, line);
    const sbeMaxNumber = row.sbeMaxNumber ?? SUB_ENTITIES[codeType].maxNumber;
    if (subcode === "") this.entities.set(code, { codeType, status, sbeMaxNumber, subEntities: 0 });
    else this.children.push({ line, code, codeType, status });
    if (row.directParent !== "") this.parents.push({ line, code: row.directParent, of: code + subcode });
  }

  /** Must be called after the last row. */
  async finish(report: Reported): Promise<void> {
    await this.lookUp([...this.children, ...this.parents].map(({ code }) => code));
    for (const child of this.children) {
      const problem = this.problemOf(child);
      if (problem) report(child.line, problem);
    }
    const parentOf = new Map(this.parents.map(({ of, code }) => [of, code]));
    for (const { line, code, of } of this.parents) {
      const parent = this.entities.get(code);
      if (code === of) report(line, directParent(OWN_PARENT_MESSAGE));
      else if (parent?.status !== "Registered" || parent.codeType === "OFTP")
        report(line, directParent(DIRECT_PARENT_MESSAGE));
      else if (isAbove(parentOf, code, of)) report(line, directParent(PARENT_CIRCLE_MESSAGE));
    }
  }

  private problemOf({ code, codeType, status }: Child): RowProblem | null {
    const parent = this.entities.get(code);
    if (!parent)
      return { field: "code", message: "There is no such code for this sub code, neither here nor in the file." };
    if (parent.codeType === "OFTP") return { field: "subcode", message: "An OFTP code has no sub codes." };
    if (parent.codeType !== codeType)
      return { field: "codeType", message: "The code of this sub code has another type." };
    if (status === "Registered" && parent.status !== "Registered")
      return { field: "status", message: `The code of this sub code is ${parent.status}.` };
    parent.subEntities += 1;
    return parent.sbeMaxNumber && parent.subEntities > parent.sbeMaxNumber
      ? { field: "subcode", message: allSubEntities(parent.sbeMaxNumber) }
      : null;
  }

  private async lookUp(codes: readonly string[]): Promise<void> {
    const missing = [...new Set(codes)].filter((code) => !this.entities.has(code));
    for (let from = 0; from < missing.length; from += LOOKED_UP) {
      const found = await listEntitiesNamed(getDb(), missing.slice(from, from + LOOKED_UP));
      const ids = found.map(({ id }) => id);
      const counts = await countSubcodesOf(getDb(), ids);
      for (const { id, code, ...entity } of found)
        this.entities.set(code, { ...entity, subEntities: counts.get(id) ?? 0 });
    }
  }
}

/** Returns whether `own` is among the direct parents of `code`, followed upwards within the file. */
function isAbove(parentOf: ReadonlyMap<string, string>, code: string, own: string): boolean {
  const seen = new Set<string>();
  for (let next = parentOf.get(code); next !== undefined && !seen.has(next); next = parentOf.get(next)) {
    if (next === own) return true;
    seen.add(next);
  }
  return false;
}
