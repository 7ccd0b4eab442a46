import { afterEach, describe, expect, test, vi } from "vitest";
import { type Party, whyNotDecide } from "~/domain/certificates/queue/four-eyes.policy";
import { getConfig } from "~/lib/config.server";
import { fourEyes } from "~/lib/four-eyes.server";
import { clearMemoized } from "~/lib/memoize.server";
import { TEST_SECRETS } from "../support/template";

const person = (id: number, given: Partial<Party> = {}): Party => ({
  id,
  email: `user-${id}@example.org`,
  firstName: `First ${id}`,
  lastName: `Last ${id}`,
  mergedInto: null,
  company: `Company ${id}`,
  companyRegistrationNumber: null,
  ...given,
});

const owner = person(1, { companyRegistrationNumber: "HRB 1" });
const helper = person(2, { company: "Certificate Authority" });
const officer = person(3, { company: "Certificate Authority" });
const parties = { owner, placedBy: [owner, helper], checkedBy: [officer] };

describe("who may check and approve an order", () => {
  // viewer, small office: check and approve, strict: check and approve
  test.each([
    ["the owner", owner, [false, false], [false, false]],
    ["whoever ordered in the owner's name", helper, [false, false], [false, false]],
    [
      "a colleague of whoever ordered in the owner's name",
      person(4, { company: helper.company }),
      [true, true],
      [true, true],
    ],
    ["the officer who recorded a check", officer, [true, true], [true, false]],
    [
      "another account with the officer's email",
      person(5, { email: officer.email.toUpperCase() }),
      [true, true],
      [true, false],
    ],
    ["another account with the owner's email", person(6, { email: owner.email }), [true, true], [false, false]],
    [
      "another account with the owner's name",
      person(7, { firstName: "FIRST 1", lastName: "Last 1" }),
      [true, true],
      [false, false],
    ],
    ["an account merged into the owner's", person(8, { mergedInto: 1 }), [true, true], [false, false]],
    ["somebody of the company", person(9, { company: "company 1" }), [true, true], [false, false]],
    [
      "somebody of the company by its number",
      person(10, { companyRegistrationNumber: "hrb 1" }),
      [true, true],
      [false, false],
    ],
    [
      "a member of the company who works in another one",
      { ...person(13), isMember: true },
      [true, true],
      [false, false],
    ],
    ["somebody else", person(11), [true, true], [true, true]],
    ["somebody else without a company", person(12, { company: "" }), [true, true], [true, true]],
  ] as const)("%s", (_, viewer, office, strict) => {
    const decides = (mode: "strict" | "small-office") =>
      (["check", "approve"] as const).map(
        (task) => whyNotDecide(task, { isMember: false, ...viewer }, parties, mode) === null,
      );
    expect({ office: decides("small-office"), strict: decides("strict") }).toEqual({ office, strict });
  });
});

describe("the mode of the four-eyes principle", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    clearMemoized();
  });

  function modeWith(secrets: Partial<typeof TEST_SECRETS>, configured?: "strict" | "small-office") {
    for (const name of Object.keys(TEST_SECRETS)) vi.stubEnv(name, secrets[name as keyof typeof TEST_SECRETS] ?? "");
    clearMemoized();
    const config = getConfig();
    return fourEyes({ ...config, accounts: { ...config.accounts, fourEyes: configured } });
  }

  test("is small-office for a trial with generated secrets, and strict otherwise", () => {
    expect(modeWith({})).toBe("small-office");
    expect(modeWith(TEST_SECRETS)).toBe("strict");
  });

  test("is the configured one, whatever the secrets", () => {
    expect(modeWith({}, "strict")).toBe("strict");
    expect(modeWith(TEST_SECRETS, "small-office")).toBe("small-office");
  });
});
