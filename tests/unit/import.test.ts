import { describe, expect, test } from "vitest";
import {
  compareDetails,
  DETAIL_NAMES,
  losesLastAdministrator,
} from "~/domain/accounts/consolidation/consolidation.policy";
import { IMPORT_COLUMNS } from "~/domain/accounts/import/columns";
import { isArgon2id } from "~/domain/accounts/import/import.schema";
import { headerProblem } from "~/lib/csv/csv-columns";

const phc = ({ memory = "19456", passes = "2", lanes = "1", salt = "A".repeat(22), output = "B".repeat(43) } = {}) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${salt}$${output}`;

describe("import", () => {
  test("[CON-04] accepts only hashes whose cost a login can compute", () => {
    const taken = [
      phc(),
      phc({ memory: "262144", passes: "16", lanes: "16" }),
      phc({ memory: "12288", passes: "3" }),
      phc({ memory: "9216", passes: "4" }),
      phc({ memory: "7168", passes: "5" }),
      phc({ memory: "35840", passes: "1" }),
      phc({ salt: "A".repeat(22), output: "B".repeat(22) }),
    ];
    for (const hash of taken) expect(isArgon2id(hash)).toBe(true);
    const refused = [
      phc({ memory: "262145" }),
      phc({ memory: "7167", passes: "16" }),
      phc({ memory: "7168", passes: "4" }),
      phc({ memory: "35839", passes: "1" }),
      phc({ memory: "17919", passes: "2" }),
      phc({ passes: "17" }),
      phc({ passes: "0" }),
      phc({ lanes: "17" }),
      phc({ lanes: "0" }),
      phc({ salt: "A".repeat(21) }),
      phc({ output: "B".repeat(21) }),
      phc({ salt: "A".repeat(86), output: "B".repeat(86) }),
      phc().replace("v=19", "v=16"),
      phc().replace("argon2id", "argon2i"),
      `${phc()} `,
      "$2b$10$abcdefghijklmnopqrstuv",
    ];
    for (const hash of refused) expect(isArgon2id(hash)).toBe(false);
  });

  test("[CON-04] accepts the columns of the header in any order and each required one once", () => {
    const { required, optional } = IMPORT_COLUMNS;
    const problem = (header: string[]) => headerProblem(header, IMPORT_COLUMNS);
    expect(problem([...required].reverse())).toBeNull();
    expect(problem([...optional, ...required])).toBeNull();
    expect(problem([...required, "Email"])).toBe("the header row has unknown columns: 'Email'");
    expect(problem(required.slice(1))).toBe("the header row lacks the columns 'username'");
  });
});

describe("merge", () => {
  const texts = (text: string) =>
    Object.fromEntries(DETAIL_NAMES.map((name) => [name, text])) as Record<(typeof DETAIL_NAMES)[number], string>;

  test("[CON-01] details agree when only spaces or the encoding of accents differ; an empty value agrees with any", () => {
    const compared = compareDetails([
      { id: 2, texts: texts("Mu\u0308ller  AG") },
      { id: 1, texts: texts(" Müller AG ") },
      { id: 3, texts: texts("  ") },
    ]);
    expect(compared).toHaveLength(DETAIL_NAMES.length);
    for (const { options } of compared)
      expect(options).toEqual([{ accountId: 2, sharedBy: [2, 1], text: "Mu\u0308ller  AG" }]);
    expect(compareDetails([{ id: 1, texts: texts("") }])).toEqual([]);
    expect(compareDetails([1, 2].map((id) => ({ id, texts: texts(`text ${id}`) })))[0]?.options).toHaveLength(2);
  });

  test("[CON-03] the last administrator is lost when all of them are closed", () => {
    expect(losesLastAdministrator([1, 2], [2, 3])).toBe(false);
    expect(losesLastAdministrator([2], [2, 3])).toBe(true);
    expect(losesLastAdministrator([], [2])).toBe(false);
  });
});
