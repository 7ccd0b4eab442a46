import { describe, expect, test } from "vitest";
import { maySee, STAFF_RIGHTS } from "~/domain/accounts/rights.policy";
import { drawCode } from "~/domain/codes/allocation.server";
import { type CodeContactForm } from "~/domain/codes/code-contact.schema";
import {
  expiredWithIt,
  expiryWarning,
  HAS_REGISTERED_SUBCODES,
  whyNoStatusChange,
} from "~/domain/codes/code-status.policy";
import { fullCode, oftpIdentifier } from "~/domain/codes/code-types";
import { mayEditCode, mayEditEntityType, whyNoSubEntity } from "~/domain/codes/codes.policy";
import { changedContacts, holdContact, readContactId, withHeld } from "~/domain/codes/contacts.policy";
import { ENTITY_TYPES, entityTypeLabel, entityTypesOf, offeredEntityTypes, sumOf } from "~/domain/codes/entity-types";

const parentIs = (status: string) =>
  `This code status cannot be changed to 'Registered' because the status of it's parent code is '${status}'.`;

describe("[COD-06] changes of status", () => {
  test.each([
    ["Registered", "Cancelled", null, 0, null],
    ["Registered", "Cancelled", null, 1, HAS_REGISTERED_SUBCODES],
    ["Registered", "Cancelled", "Registered", 0, null],
    ["Registered", "Expired", null, 5, null],
    ["Expired", "Cancelled", null, 1, HAS_REGISTERED_SUBCODES],
    ["Cancelled", "Registered", null, 0, null],
    ["Cancelled", "Registered", "Registered", 0, null],
    ["Cancelled", "Registered", "Cancelled", 0, parentIs("Cancelled")],
    ["Expired", "Registered", "Expired", 0, parentIs("Expired")],
    ["Registered", "Registered", "Cancelled", 0, null],
    ["Cancelled", "Cancelled", null, 1, null],
  ] as const)(
    "from %s to %s with parent %s and %i registered sub-codes: %s",
    (from, to, parent, registeredSubcodes, reason) => {
      expect(whyNoStatusChange({ from, to, parent, registeredSubcodes })).toBe(reason);
    },
  );
});

describe("[COD-06] sub-codes that expire with a code", () => {
  const subcodes = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      codeType: "Full" as const,
      code: "AB12",
      subcode: String(index + 10),
    }));
  const ten = "AB1210, AB1211, AB1212, AB1213, AB1214, AB1215, AB1216, AB1217, AB1218, AB1219";

  test.each([
    [1, "its sub-entity AB1210"],
    [2, "its 2 sub-entities AB1210, AB1211"],
    [10, `its 10 sub-entities ${ten}`],
    [11, `its 11 sub-entities ${ten} and 1 more`],
  ])("a code has %i of them", (count, named) => {
    const expire = count === 1 ? "expires" : "expire";
    expect(expiryWarning(subcodes(count))).toBe(`If the code expires, ${named} ${expire} with it.`);
    expect(expiredWithIt(subcodes(count))).toBe(`${named.replace("its", "Its")} expired with it.`);
  });

  test("a code can have none", () => expect([expiryWarning([]), expiredWithIt([])]).toEqual(["", ""]));
});

describe("[COD-04] who may edit a code", () => {
  const MEMBER = { role: "purchaser", isApplicant: true } as const;
  const owner = { ...MEMBER, companyId: 1, rights: [] };
  const stranger = { ...MEMBER, companyId: 2, rights: [] };
  const admin = { ...MEMBER, companyId: 3, rights: STAFF_RIGHTS };
  const auditor = { ...MEMBER, companyId: 4, rights: ["auditor"] as const };
  test.each([
    [owner, "Full", "Registered", true, true],
    [owner, "OFTP", "Registered", true, false],
    [owner, "Full", "Cancelled", false, false],
    [owner, "Full", "Expired", false, false],
    [{ ...owner, role: "owner" }, "Full", "Registered", true, true],
    [{ ...owner, role: "technical" }, "Full", "Registered", false, false],
    [{ ...owner, role: "reader" }, "Full", "Registered", false, false],
    [stranger, "Full", "Registered", false, false],
    [admin, "Full", "Registered", true, true],
    [admin, "OFTP", "Registered", true, true],
    [admin, "Basic", "Cancelled", true, true],
    [admin, "OFTP", "Expired", true, true],
    [auditor, "Full", "Registered", false, false],
  ] as const)("%o, %s, %s: may edit the code %s, its entity types %s", (viewer, codeType, status, code, types) => {
    const row = { companyId: 1, codeType, status };
    expect([mayEditCode(viewer, row), mayEditEntityType(viewer, row)]).toEqual([code, types]);
  });

  test("only the owner and staff see a code", () => {
    const seen = [owner, stranger, admin, auditor].map((viewer) => maySee(viewer, { companyId: 1 }));
    expect(seen).toEqual([true, false, true, true]);
  });
});

describe("[COD-05] sub-entities", () => {
  const parent = {
    status: "Registered",
    sbeCanRegister: true,
    sbeMaxNumber: 100,
    subcode: "",
    subEntities: 0,
  } as const;
  test.each([
    [{}, true],
    [{ subEntities: 99 }, true],
    [{ subEntities: 100 }, false],
    [{ subEntities: 101 }, false],
    [{ sbeMaxNumber: null, subEntities: 1294 }, true],
    [{ sbeMaxNumber: 0, subEntities: 1294 }, true],
    [{ status: "Cancelled" }, false],
    [{ status: "Expired" }, false],
    [{ sbeCanRegister: false }, false],
    [{ subcode: "01" }, false],
  ] as const)("%o: %s", (change, permitted) => {
    expect(whyNoSubEntity({ ...parent, ...change }) === null).toBe(permitted);
  });

  test.each([
    ["Full", "AB12", "", "AB1200", "O0177AB1200000000"],
    ["Basic", "AB12", "7Z", "AB127Z", "O0177AB127Z000000"],
    ["OFTP", "XB12", "", "XB12", "O0177XB12OD"],
  ] as const)("%s %s %s: full code %s, SSID %s", (codeType, code, subcode, full, ssid) => {
    const named = { codeType, code, subcode };
    expect([fullCode(named), oftpIdentifier(named)]).toEqual([full, ssid]);
  });
});

describe("[COD-03] entity types", () => {
  test("are bits in the order of the page", () => {
    expect(Object.values(ENTITY_TYPES)).toEqual(Array.from({ length: 15 }, (_, bit) => 2 ** bit));
    expect(sumOf(["Other", "Headquarters", "Headquarters", "IT"])).toBe(16384 + 1 + 512);
    expect(entityTypesOf(16384 + 1 + 512)).toEqual(["Headquarters", "IT", "Other"]);
  });

  test("two have a display name of their own", () => {
    expect(entityTypeLabel("Other")).toBe("Other (please specify)");
    expect(entityTypeLabel("RegisteredOffice")).toBe("Registered Office");
    expect(entityTypeLabel("IT")).toBe("IT");
  });

  test("OFTP is offered to sub-entities and to a code that already has it", () => {
    const hasOftp = (isSubEntity: boolean, stored: number) =>
      offeredEntityTypes({ isSubEntity, stored }).includes("OFTP");
    expect([hasOftp(true, 0), hasOftp(false, 0), hasOftp(false, 8192), hasOftp(false, 4096)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

test("[COD-02] codes are drawn from 34 symbols; only OFTP codes begin with X", () => {
  const chooser = (pick: (choices: string) => string) => {
    const asked: string[] = [];
    return { asked, choose: (choices: string) => (asked.push(choices), pick(choices)) };
  };
  const full = chooser((choices) => choices.at(-1) ?? "");
  expect([drawCode("Full", full.choose), drawCode("OFTP", full.choose)]).toEqual(["ZZZZ", "XZZZ"]);
  expect(full.asked.map(({ length }) => length)).toEqual([33, 34, 34, 34, 34, 34, 34]);
  expect(full.asked[0]).not.toMatch(/[XIO]/);
  expect(full.asked[1]).toMatch(/^[0-9A-HJ-NP-Z]+$/);
});

describe("[COD-08] contacts that are kept with the form", () => {
  const contact = (id: number, emailAddress: string, firstName = "Ida"): CodeContactForm => ({
    id,
    contactType: "IT",
    firstName,
    lastName: "Berg",
    jobTitle: "",
    department: "",
    phoneNumber: "",
    mobile: "",
    fax: "",
    emailAddress,
  });
  const { id: _, ...typed } = contact(0, "new@example.com");
  const stored = [contact(5, "five@example.com"), contact(6, "six@example.com")];

  test("new ones get temporary ids from -20000 downwards", () => {
    const first = holdContact({ stored, held: [] }, typed, null) ?? [];
    const second = holdContact({ stored, held: first }, { ...typed, emailAddress: "b@example.com" }, null) ?? [];
    expect(second.map(({ id }) => id)).toEqual([-20000, -20001]);
    expect(withHeld(stored, second).map(({ id }) => id)).toEqual([5, 6, -20000, -20001]);
  });

  test("one replaces another with the same email, whatever the case", () => {
    const held = holdContact({ stored, held: [] }, { ...typed, emailAddress: "SIX@example.com" }, null) ?? [];
    expect(held).toEqual([{ ...typed, id: 6, emailAddress: "SIX@example.com" }]);
    const again = holdContact({ stored: [], held: [contact(-20000, "new@example.com", "Old")] }, typed, null);
    expect(again).toEqual([{ ...typed, id: -20000 }]);
  });

  test("changes find their contact by id, also with another email; an unknown id finds none", () => {
    const held = holdContact({ stored, held: [] }, { ...typed, emailAddress: "other@example.com" }, 5) ?? [];
    expect(withHeld(stored, held)[0]).toMatchObject({ id: 5, emailAddress: "other@example.com" });
    expect(holdContact({ stored, held: [] }, typed, 7)).toBeNull();
  });

  test("one that equals the stored contact is no change", () => {
    expect(changedContacts([contact(5, "five@example.com"), contact(6, "six@example.com", "Eva")], stored)).toEqual([
      contact(6, "six@example.com", "Eva"),
    ]);
  });

  test.each([
    [null, null],
    ["5", 5],
    ["-20000", -20000],
    ["0", 0],
    ["x", 0],
    ["1e3", 0],
    ["", 0],
  ])("an address with %o has the id %o", (text, id) => expect(readContactId(text)).toBe(id));
});
