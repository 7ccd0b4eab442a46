import { afterEach, describe, expect, test, vi } from "vitest";
import { type Viewer, whyNotAuthorise, whyNotDecide } from "~/domain/certificates/queue/four-eyes.policy";
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
const changer = person(20, of(["Certificate Authority"]));
const contactAccount = person(21, { names: ["Hidden Twin"], emails: ["contact@company.example"] });
const contact = { names: ["Berta Boss"], emails: ["contact@company.example"], accounts: [contactAccount] };
const parties = {
  company: owner.companies,
  placedBy: [owner, helper],
  checkedBy: [{ by: officer, check: "CSR and company", at: "25/11/2026 10:00:00 UTC" }],
  contact,
  changedBy: [{ by: changer, at: "24/11/2026 10:00:00 UTC" }],
};

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
    [
      "an account with the officer's mailbox",
      person(22, { emails: ["user-3+second@example.org"] }),
      [true, true],
      [true, false],
    ],
    ["the account of the contact", contactAccount, [true, true], [false, false]],
    ["somebody with the contact's name", person(23, { names: ["berta boss"] }), [true, true], [false, false]],
    [
      "somebody with a former email of the contact",
      person(24, { emails: ["now@example.org", "contact@company.example"] }),
      [true, true],
      [false, false],
    ],
    ["another account of the contact's account", person(25, { names: ["Hidden Twin"] }), [true, true], [false, false]],
    ["whoever changed the customer's details while acting", changer, [true, true], [false, false]],
    ["another account of the changer", person(26, { names: changer.names }), [true, true], [false, false]],
    ["somebody else", person(11), [true, true], [true, true]],
    ["somebody else without a company", person(12, of([""], [""])), [true, true], [true, true]],
  ] as const)("%s", (_, viewer, office, strict) => {
    const decides = (mode: "strict" | "small-office") =>
      (["check", "approve"] as const).map((task) => whyNotDecide(task, viewer, parties, mode) === null);
    expect({ office: decides("small-office"), strict: decides("strict") }).toEqual({ office, strict });
  });
});

test("a refusal of an approver names the own checks and their times", () => {
  const refusal = (viewer: Viewer) => whyNotDecide("approve", viewer, parties, "strict")?.text;
  expect(refusal(officer)).toContain("You recorded 'CSR and company' on 25/11/2026 10:00:00 UTC.");
  expect(refusal(person(5, { emails: ["USER-3@example.org"] }))).toContain("Another account of yours recorded 'CSR");
});

describe("whether an authentication contact may authorise", () => {
  const named = (name: string, email: string, accounts: Viewer[] = []) => ({
    names: [name],
    emails: [email],
    accounts,
  });
  const member = person(30, { names: ["Mia Berg", "Mia Young"], emails: ["mia@ca.example", "young@ca.example"] });
  const twin = person(31, { names: ["Mia Berg"], emails: ["private@company.example"] });

  // contact, small office, small office when the member of staff placed the order, strict
  test.each([
    ["somebody of the customer", named("Berta Boss", "boss@company.example"), true, true, true],
    ["a member of staff by address", named("M. B.", "mia@ca.example"), true, false, false],
    ["by another address of the mailbox", named("M. B.", "MIA+2@ca.example"), true, false, false],
    ["by a former address", named("M. B.", "young@ca.example"), true, false, false],
    ["by name", named("mia berg", "m.berg@company.example"), true, false, false],
    ["by a former name", named("Mia Young", "m.berg@company.example"), true, false, false],
    ["by another account with the address", named("M. B.", "private@company.example", [twin]), true, false, false],
  ] as const)("%s", (_, someone, office, placed, strict) => {
    const may = (placedBy: number[], mode: "strict" | "small-office") =>
      whyNotAuthorise(someone, { staff: [member], placedBy }, mode) === null;
    expect([may([], "small-office"), may([30], "small-office"), may([], "strict")]).toEqual([office, placed, strict]);
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
    // An earlier version had no passphrases of roots and responders: its duties stay after an update.
    expect(modeWith({ ...TEST_SECRETS, ROOT_PASSPHRASE: "", RESPONDER_PASSPHRASE: "" })).toBe("strict");
  });

  test("is the configured one, whatever the secrets", () => {
    expect(modeWith({}, "strict")).toBe("strict");
    expect(modeWith(TEST_SECRETS, "small-office")).toBe("small-office");
  });
});
