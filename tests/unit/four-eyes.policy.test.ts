import { afterEach, describe, expect, test, vi } from "vitest";
import { type Viewer, whyNotDecide } from "~/domain/certificates/queue/four-eyes.policy";
import { getConfig } from "~/lib/config.server";
import { fourEyes } from "~/lib/four-eyes.server";
import { clearMemoized } from "~/lib/memoize.server";
import { TEST_SECRETS } from "../support/template";

const person = (id: number, given: Partial<Viewer> = {}): Viewer => ({
  id,
  emails: [`user-${id}@example.org`],
  names: [`First ${id} Last ${id}`],
  mergedInto: null,
  companies: { names: [`Company ${id}`], registrationNumbers: [""] },
  isMember: false,
  ...given,
});
const of = (names: string[], registrationNumbers: string[] = []) => ({ companies: { names, registrationNumbers } });

const owner = person(1, {
  names: ["First 1 Last 1", "Maiden Name"],
  emails: ["user-1@example.org", "earlier@example.org"],
  ...of(["Company 1", "Earlier Ltd"], ["HRB 1", "HRB 0"]),
});
const helper = person(2, of(["Certificate Authority"]));
const officer = person(3, of(["Certificate Authority"]));
const parties = { company: owner.companies, placedBy: [owner, helper], checkedBy: [officer] };

describe("who may check and approve an order", () => {
  // viewer, small office: check and approve, strict: check and approve
  test.each([
    ["the owner", owner, [false, false], [false, false]],
    ["whoever ordered in the owner's name", helper, [false, false], [false, false]],
    [
      "a colleague of whoever ordered in the owner's name",
      person(4, { companies: helper.companies }),
      [true, true],
      [true, true],
    ],
    ["the officer who recorded a check", officer, [true, true], [true, false]],
    [
      "another account with the officer's email",
      person(5, { emails: ["USER-3@example.org"] }),
      [true, true],
      [true, false],
    ],
    [
      "another account with the owner's email",
      person(6, { emails: ["user-1@example.org"] }),
      [true, true],
      [false, false],
    ],
    ["another account with the owner's name", person(7, { names: ["FIRST 1 Last 1"] }), [true, true], [false, false]],
    ["an account merged into the owner's", person(8, { mergedInto: 1 }), [true, true], [false, false]],
    ["somebody of the company", person(9, of(["company 1"])), [true, true], [false, false]],
    ["somebody of the company by its number", person(10, of(["Other"], ["hrb 1"])), [true, true], [false, false]],
    [
      "a member of the company who works in another one",
      { ...person(13), isMember: true },
      [true, true],
      [false, false],
    ],
    [
      "somebody whose former name is the owner's name",
      person(14, { names: ["New Name", " first 1 LAST 1 "] }),
      [true, true],
      [false, false],
    ],
    ["somebody with a former name of the owner", person(15, { names: ["maiden name"] }), [true, true], [false, false]],
    [
      "somebody with a former email of the owner",
      person(16, { emails: ["new@example.org", "Earlier@example.org"] }),
      [true, true],
      [false, false],
    ],
    ["somebody whose former company ordered", person(17, of(["New Ltd", "Company 1"])), [true, true], [false, false]],
    ["somebody of a former name of the company", person(18, of(["earlier ltd"])), [true, true], [false, false]],
    ["somebody of its former number", person(19, of(["Other"], ["hrb 0"])), [true, true], [false, false]],
    ["somebody else", person(11), [true, true], [true, true]],
    ["somebody else without a company", person(12, of([""], [""])), [true, true], [true, true]],
  ] as const)("%s", (_, viewer, office, strict) => {
    const decides = (mode: "strict" | "small-office") =>
      (["check", "approve"] as const).map((task) => whyNotDecide(task, viewer, parties, mode) === null);
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
