import { describe, expect, test } from "vitest";
import { type Compared, compareParties, markDifferences } from "~/domain/certificates/queue/comparison.policy";

const EMPTY = { department: "", street: "", postalCode: "", state: "", telephone: "", oftpId: "" };
const side = (title: string, given: Partial<Compared> = {}): Compared => ({
  ...EMPTY,
  title,
  organisation: "Bauer GmbH",
  town: "Zwickau",
  country: "Germany (DE)",
  person: "",
  email: "",
  ...given,
});

const compared = (given: Partial<Record<"csr" | "company" | "user" | "contact", Partial<Compared>>> = {}) =>
  compareParties({
    csr: side("CSR", given.csr),
    company: side("Company", given.company),
    user: side("User contact", given.user),
    contact: side("Contact", given.contact),
  });

const rowOf = (comparison: ReturnType<typeof compared>, label: string) =>
  comparison.rows.find((row) => row.label === label);

describe("[MAN-03] differences are marked word by word", () => {
  test.each([
    ["Bauer Holding GmbH", "Bauer GmbH", [["Bauer ", "Holding", " GmbH"], ["Bauer GmbH"]]],
    ["Bauer GmbH", "Bauer Holding GmbH", [["Bauer GmbH"], ["Bauer ", "Holding", " GmbH"]]],
    [
      "Industriestraße 41",
      "Industriestraße 14",
      [
        ["Industriestraße ", "41"],
        ["Industriestraße ", "14"],
      ],
    ],
    ["Nord West Bauer", "Bauer", [["", "Nord West", " Bauer"], ["Bauer"]]],
    ["BAUER  gmbh.", "Bauer GmbH", [["BAUER gmbh."], ["Bauer GmbH"]]],
    ["Ko\u0308ln", "Köln", [["Ko\u0308ln"], ["Köln"]]],
  ])("%s against %s", (text, base, expected) => {
    expect(markDifferences([text, base], base)).toEqual(expected);
  });
});

describe("[MAN-03] the comparison of an order", () => {
  test("has rows that differ first, and says how many they are", () => {
    const comparison = compared({ contact: { organisation: "Bauer Holding GmbH", town: "Dresden" } });
    expect(comparison.rows.map(({ label, finding }) => [label, finding])).toEqual([
      ["Organisation", "differs"],
      ["Town", "differs"],
      ["Country", "same"],
    ]);
    expect(comparison.summary).toBe(
      "2 rows differ; the user contact has the same details as the company, so no column of its own",
    );
    expect(rowOf(comparison, "Organisation")?.cells).toEqual([
      ["Bauer GmbH"],
      ["Bauer GmbH"],
      ["Bauer ", "Holding", " GmbH"],
    ]);
  });

  test("shows the user contact apart only where it differs from the company", () => {
    expect(compared({ user: { street: "Weg 1" } }).columns).toEqual(["CSR", "Company", "Contact"]);
    expect(compared({ user: { town: "Plauen" } }).columns).toEqual(["CSR", "Company", "User contact", "Contact"]);
  });

  test.each([
    ["person", "Person", "Jo Bauer, Head", "Jo Bauer, EDI", "look", "Same person"],
    ["person", "Person", "Jo Bauer", "Max Lehm", "same", "Other person"],
    ["email", "Email", "jo@bauer.example", "max@bauer.example", "same", "Same domain"],
    ["email", "Email", "jo@bauer.example", "max@other.example", "look", "Other domain"],
    ["email", "Email", "jo@bauer.example", "JO@bauer.example", "look", "Same address"],
    ["telephone", "Telephone", "+49 30 1", "0049 301", "look", "Same number"],
    ["telephone", "Telephone", "+49 30 1", "+49 30 2", "same", "Other number"],
  ] as const)("expects another contact: %s, %s", (field, label, company, contact, finding, result) => {
    const comparison = compared({
      company: { [field]: company },
      user: { [field]: company },
      contact: { [field]: contact },
    });
    expect(rowOf(comparison, label)).toMatchObject({ finding, result });
  });

  test("says what only one side has, and leaves out what nobody has", () => {
    const comparison = compared({ csr: { department: "EDI" } });
    expect(rowOf(comparison, "Department")).toMatchObject({ finding: "alone", result: "Only in CSR" });
    expect(rowOf(comparison, "OFTP ID")).toBeUndefined();
  });
});
