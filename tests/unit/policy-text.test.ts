import { describe, expect, test } from "vitest";
import { findTextProblems, problemLine } from "~/domain/repository/policies/text-rules.policy";
import { shownMarkdown } from "~/domain/repository/policies/text.policy";

const KNOWN = {
  facts: new Map([
    ["csr.checked", true],
    ["mode.strict", false],
  ]),
  figures: new Set(["baseLife"]),
  names: new Set(["operator"]),
};

const problems = (markdown: string) => findTextProblems([{ file: "policies/a.md", markdown }], KNOWN).map(problemLine);

describe("the rules for the texts of the policies", () => {
  test("[REP-02] a sentence with a figure, a fact, or another source is accepted", () => {
    const markdown = [
      "## 1. Lists [[terms]]",
      "Lists are valid for {{baseLife}}. The portal checks a CSR [[csr.checked]]. The CA keeps its media safe [[operator]].",
      "",
      "- RFC 5280 and section 4.9 say more, and X.509 version 3, PKCS #10 and CVE-2017-15361 too.",
      "",
      "### 1.1 More",
      "A definition.",
      "",
      "| What | How long |",
      "| --- | --- |",
      "| List | {{baseLife}} |",
    ].join("\n");
    expect(problems(markdown)).toEqual([]);
  });

  test.each([
    ["Lists are valid for 7 somethings [[terms]].", "policies/a.md:1: The figure '7' is written out."],
    ["It needs two people [[terms]].", "policies/a.md:1: The number 'two' is written out."],
    ["It is done daily [[terms]].", "policies/a.md:1: The unit 'daily' is written out."],
    ["Keys are RSA keys [[terms]].", "policies/a.md:1: The algorithm 'RSA' is written out."],
    ["Keys are {{unknown}} [[terms]].", "policies/a.md:1: The placeholder {{unknown}} has no value."],
    ["A CSR is checked [[csr.unknown]].", "policies/a.md:1: The source 'csr.unknown' is unknown."],
    ["It is strict [[mode.strict]].", "policies/a.md:1: The source 'mode.strict' does not hold in this portal."],
    ["Media are destroyed [[operator]].", "policies/a.md:1: The sentence does not say who does it."],
    ["{{operator}} is good.", "policies/a.md:1: The sentence has no source."],
    ["## 1. Eleven rules", "policies/a.md:1: The number 'Eleven' is written out."],
    ["| A | B |\n| --- | --- |\n| a | b |", "policies/a.md:3: The sentence has no source."],
    ["A definition [[terms]].\nOne more\nover lines. And\na third.", "policies/a.md:2: The sentence has no source."],
  ])("[REP-02] %j is refused, with file, line and rule", (markdown, message) => {
    expect(problems(markdown)[0]).toContain(message);
  });

  test("[REP-02] the rule names the sentence and says what to do", () => {
    expect(problems("A definition [[terms]].\n\n- Staff never sleep.\n- Nor do we.")).toEqual([
      "policies/a.md:3: The sentence has no source. End it with the fact that the portal keeps, such as [[check.contact]], with [[operator]] when people do it outside the portal, or with [[terms]]. ('Staff never sleep.')",
      "policies/a.md:4: The sentence has no source. End it with the fact that the portal keeps, such as [[check.contact]], with [[operator]] when people do it outside the portal, or with [[terms]]. ('Nor do we.')",
    ]);
  });

  test("[REP-02] readers see no markers, and no sentence whose condition does not hold", () => {
    const markdown = [
      "## 1. Title [[terms]]",
      "",
      "Always [[csr.checked]]. Strict [[if mode.strict]]. Lax [[if mode.lax]].",
      "",
      "- Strict [[if mode.strict]].",
      "- A link to [a.b](https://a.b/c.d) [[terms, csr.checked]].",
      "",
      "| A |",
      "| --- |",
      "| strict [[if mode.strict]] |",
      "| lax [[if mode.lax]] |",
      "",
    ].join("\n");
    expect(shownMarkdown(markdown, (fact) => fact === "mode.lax")).toBe(
      "## 1. Title\n\nAlways. Lax.\n\n- A link to [a.b](https://a.b/c.d).\n\n| A |\n| --- |\n| lax |\n",
    );
  });

  test("[REP-02] a sentence that is left out may name a fact that does not hold", () => {
    expect(problems("It is strict [[if mode.strict]].")).toEqual([]);
  });
});
