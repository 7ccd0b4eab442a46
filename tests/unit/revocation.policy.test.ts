import { withZod } from "@remix-validated-form/with-zod";
import { describe, expect, test } from "vitest";
import { instantOf, REVOCATION_REASONS } from "~/domain/certificates/revocation/reasons";
import {
  matchesPlan,
  planRevocation,
  revocationDateProblem,
  revocationReasonProblem,
} from "~/domain/certificates/revocation/revocation.policy";
import { revocationSchema } from "~/domain/certificates/revocation/revocation.schema";
import { TIME_ERROR } from "~/lib/date-errors";

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
  test("offers four reasons", () => {
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
    [{ revocationDate: "21/11/2026" }, {}],
    [{ revocationDate: "31/02/2026" }, { revocationDate: "31/02/2026 is not a day of the calendar." }],
    [{ revocationDate: "2026-13-01" }, { revocationDate: "2026-13-01 is not a day of the calendar." }],
    [{ revocationDate: "tomorrow" }, { revocationDate: "Enter the date as DD/MM/YYYY, for example 23/11/2026." }],
    [{ revocationTime: "" }, { revocationTime: required }],
    [{ revocationTime: "24:00:00" }, { revocationTime: TIME_ERROR }],
    [{ revocationTime: "2 pm" }, { revocationTime: TIME_ERROR }],
    [{ revocationTime: "23:59" }, {}],
    [{ revocationTime: "9:05" }, {}],
  ])("%j", async (change, expected) => {
    expect(await errorsOf(change)).toEqual(expected);
  });

  test("takes date and time as UTC", () => {
    const now = new Date("2026-11-21T12:34:56.789Z");
    expect(instantOf(form, now).toISOString()).toBe("2026-11-21T10:00:00.000Z");
    expect(instantOf({ ...form, revocationTime: "23:59" }, now).toISOString()).toBe("2026-11-21T23:59:00.000Z");
  });

  test("[REV-01] an unchanged date and time mean now, however long the page was open", () => {
    const now = new Date("2026-11-21T12:34:56.789Z");
    expect(instantOf({ ...form, loadedAt: "2026-11-21T10:00:00.123Z" }, now)).toEqual(now);
    expect(instantOf({ ...form, loadedAt: "2026-11-21T10:00:01.000Z" }, now).toISOString()).toBe(
      "2026-11-21T10:00:00.000Z",
    );
  });
});

describe("[REV-01] the date must be within the validity", () => {
  const validity = {
    startDate: "2026-11-21T10:00:00.000Z",
    expiryDate: "2027-11-21T10:00:00.000Z",
    scheduledFor: null,
  };
  const now = new Date("2026-12-01T10:00:00Z");
  test.each([
    ["2026-11-21T09:59:59Z", false],
    ["2026-11-21T10:00:00Z", true],
    ["2027-11-21T10:00:00Z", true],
    ["2027-11-21T10:00:01Z", false],
  ])("%s: %s", (date, isWithin) => {
    expect(revocationDateProblem(new Date(date), validity, now) === null).toBe(isWithin);
  });
});

describe("[REV-04] a scheduled revocation can only be brought forward", () => {
  const scheduledFor = "2027-03-01T10:00:00.000Z";
  const validity = { startDate: "2026-11-21T10:00:00.000Z", expiryDate: "2027-11-21T10:00:00.000Z", scheduledFor };
  const refused = "A revocation is already scheduled for 01/03/2027 10:00:00 UTC and can only be brought forward.";
  test.each([
    ["2027-03-01T09:59:59Z", "2026-12-01T10:00:00Z", null],
    ["2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z", null],
    ["2027-03-01T10:00:00Z", "2026-12-01T10:00:00Z", refused],
    ["2027-03-02T10:00:00Z", "2026-12-01T10:00:00Z", refused],
    ["2027-02-01T10:00:00Z", "2027-03-01T10:00:05Z", refused],
  ])("from %s to %s: %s", (date, now, expected) => {
    expect(revocationDateProblem(new Date(date), validity, new Date(now))).toBe(expected);
  });

  test.each([
    ["RequestRevoke", 1, 4, false],
    ["RequestRevoke", 1, 1, true],
    ["RequestRevoke", 4, 3, true],
    ["Issued", null, 4, true],
  ])(
    "a certificate %s for reason %s may be revoked for reason %i: %s",
    (status, revocationReason, reason, isAllowed) => {
      expect(revocationReasonProblem(reason, { status, revocationReason }) === null).toBe(isAllowed);
    },
  );
});

describe("[REV-04] the effect of the revocation time", () => {
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

describe("[REV-03] whether a repeated form asks for what was already done", () => {
  const [ten, eleven, noon] = ["10", "11", "12"].map((hour) => `2026-11-21T${hour}:00:00.000Z`) as [
    string,
    string,
    string,
  ];
  const revoked = { status: "Revoked", revocationDate: eleven, invalidityDate: null };
  const waiting = { ...revoked, status: "RequestRevoke" };
  test.each([
    ["a later moment that it waits for", eleven, ten, waiting, undefined, true],
    ["a later moment that it does not wait for", noon, ten, waiting, undefined, false],
    ["a moment that was later and has come", eleven, noon, revoked, undefined, true],
    ["a moment in the past", ten, noon, { ...revoked, invalidityDate: ten }, undefined, true],
    ["another moment in the past", ten, noon, revoked, ten, false],
    ["now, on a page of before", noon, noon, revoked, ten, true],
    ["now, on a page of the same second", noon, noon, revoked, "2026-11-21T11:00:00.999Z", true],
    ["now, on a page of after", noon, noon, revoked, "2026-11-21T11:00:01.000Z", false],
    ["now, not in the past", noon, noon, { ...revoked, invalidityDate: ten }, ten, false],
    ["now, on no page", noon, noon, revoked, undefined, false],
    ["now, on a page of an unreadable time", noon, noon, revoked, "x", false],
    ["now, before it was revoked", noon, noon, waiting, ten, false],
    ["now, never revoked", noon, noon, { ...revoked, status: "Issued", revocationDate: null }, ten, false],
  ])("%s", (_, date, now, stored, openedAt, expected) => {
    expect(matchesPlan(planRevocation(new Date(date), new Date(now)), stored, openedAt)).toBe(expected);
  });
});
