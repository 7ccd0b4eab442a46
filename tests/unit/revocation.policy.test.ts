import { withZod } from "@remix-validated-form/with-zod";
import { describe, expect, test } from "vitest";
import { planRevocation, revocationDateProblem } from "~/domain/certificates/revocation.policy";
import { momentOf, REVOCATION_REASONS } from "~/domain/certificates/revocation-reasons";
import { revocationSchema } from "~/domain/certificates/revocation.schema";

const validator = withZod(revocationSchema);
const form = {
  revocationReason: "4",
  revocationDescription: "",
  revocationDate: "2026-11-21",
  revocationTime: "10:00:00",
};
const errorsOf = async (change: Partial<Record<keyof typeof form, string>>) =>
  (await validator.validate({ ...form, ...change })).error?.fieldErrors ?? {};

describe("[REV-01] the revoke form", () => {
  test("the four reasons", () => {
    expect(REVOCATION_REASONS.map(({ id, description }) => `${id} ${description}`)).toEqual([
      "0 Unspecified",
      "1 Key Compromised",
      "3 Affiliation Changed",
      "4 Superseded",
    ]);
  });

  const required = "This field is required.";
  test.each([
    [{}, {}],
    [{ revocationReason: "" }, { revocationReason: required }],
    [{ revocationReason: "2" }, { revocationReason: "The value is not part of the collection." }],
    [{ revocationReason: "x" }, { revocationReason: "The value is not part of the collection." }],
    [{ revocationReason: "0" }, { revocationDescription: required }],
    [{ revocationReason: "0", revocationDescription: "   " }, { revocationDescription: required }],
    [{ revocationReason: "0", revocationDescription: "Lost" }, {}],
    [{ revocationDescription: "x".repeat(230) }, {}],
    [{ revocationDescription: "x".repeat(231) }, { revocationDescription: "Entered value is not valid." }],
    [{ revocationDate: "" }, { revocationDate: required }],
    [{ revocationDate: "21/11/2026" }, { revocationDate: "Invalid value." }],
    [{ revocationDate: "2026-13-01" }, { revocationDate: "Invalid value." }],
    [{ revocationDate: "2026-02-30" }, { revocationDate: "Invalid value." }],
    [{ revocationTime: "" }, { revocationTime: required }],
    [{ revocationTime: "24:00:00" }, { revocationTime: "Invalid value." }],
    [{ revocationTime: "23:59" }, {}],
  ])("%j", async (change, expected) => {
    expect(await errorsOf(change)).toEqual(expected);
  });

  test("date and time are UTC", () => {
    expect(momentOf(form).toISOString()).toBe("2026-11-21T10:00:00.000Z");
    expect(momentOf({ ...form, revocationTime: "23:59" }).toISOString()).toBe("2026-11-21T23:59:00.000Z");
  });
});

describe("[REV-01] the date lies within the validity", () => {
  const validity = { startDate: "2026-11-21T10:00:00.000Z", expiryDate: "2027-11-21T10:00:00.000Z" };
  test.each([
    ["2026-11-21T09:59:59Z", false],
    ["2026-11-21T10:00:00Z", true],
    ["2027-11-21T10:00:00Z", true],
    ["2027-11-21T10:00:01Z", false],
  ])("%s: %s", (date, isWithin) => {
    expect(revocationDateProblem(new Date(date), validity) === null).toBe(isWithin);
  });
});

describe("[REV-04] what the moment means", () => {
  const now = new Date("2026-11-21T10:00:00.700Z");
  const present = new Date("2026-11-21T10:00:00.000Z");
  test.each([
    ["2026-11-21T10:00:00Z", { isScheduled: false, revocationDate: present, invalidityDate: null }],
    [
      "2026-11-01T08:00:00Z",
      { isScheduled: false, revocationDate: present, invalidityDate: new Date("2026-11-01T08:00:00Z") },
    ],
    [
      "2026-11-21T10:00:01Z",
      { isScheduled: true, revocationDate: new Date("2026-11-21T10:00:01Z"), invalidityDate: null },
    ],
  ])("%s", (date, expected) => {
    expect(planRevocation(new Date(date), now)).toEqual(expected);
  });
});
