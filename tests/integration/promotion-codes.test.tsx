import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { CODE_ALPHABET, isNumberToSpreadsheets } from "~/domain/orders/promotion-codes/limits";
import { addDays, formatDate } from "~/lib/dates";
import * as bulkPage from "~/routes/home.promotion-codes.bulk";
import * as filePage from "~/routes/home.promotion-codes.file.$batch";
import * as newPage from "~/routes/home.promotion-codes.new";
import { getDb } from "~db/connection.server";
import { insertPromotionBatch, insertPromotionCodes } from "~db/repositories/promotion-codes.server";
import { inTransaction } from "~db/transaction.server";
import { atOneMoment } from "../support/clock";
import { createAdmin, createUser } from "../support/factories";
import { labelsOf, summaryOf } from "../support/page";
import { usePortal } from "../support/portal";
import { createMany, createOne, newBatch, promotionAudit, storedCodes } from "../support/promotion-codes";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

let staff: Visitor;
let adminId: number;

beforeAll(async () => {
  const admin = await createAdmin();
  adminId = admin.id;
  staff = await signedInAs(admin);
});

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
const bothForms = [
  ["one", createOne],
  ["many", createMany],
] as const;

describe("creating one promotion code", () => {
  test("[PUR-07] with a chosen text stores value, months and last day and names it in the audit trail", async () => {
    const batch = newBatch();
    const day = dayOf(addDays(new Date(), 3));
    const answer = await createOne(staff, { code: " spring26x ", value: "49.5", months: "48", validUntil: day, batch });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/home/promotion-codes?batch=${batch}`]);
    expect(await storedCodes(batch)).toMatchObject([
      { code: "SPRING26X", valueCents: 4950, months: 48, validUntil: `${day}T23:59:59.999Z`, usedAt: null },
    ]);
    expect(await promotionAudit("SPRING26X")).toMatchObject([
      {
        actorId: adminId,
        event: "promotion-code.created",
        message: `A promotion code was created: €49.50, 48 months, valid until ${formatDate(day)}.`,
      },
    ]);
  });

  test("[PUR-07] never generates one that a spreadsheet reads as a number", async () => {
    const batch = newBatch();
    expect((await createMany(staff, { count: "5000", prefix: "2E3", batch })).status).toBe(303);
    const codes = (await storedCodes(batch)).map(({ code }) => code);
    expect(codes).toHaveLength(5000);
    expect(codes.filter(isNumberToSpreadsheets)).toEqual([]);
  });

  test("[PUR-07] generates ten characters without similar ones", async () => {
    const batch = newBatch();
    await createOne(staff, { batch });
    const [row, ...others] = await storedCodes(batch);
    expect(others).toEqual([]);
    expect(row?.code).toMatch(new RegExp(`^[${CODE_ALPHABET}]{10}$`));
    expect(row).toMatchObject({ valueCents: 5000, validUntil: null });
  });

  test("[PUR-07] refuses an existing code in any case and stores nothing", async () => {
    await createOne(staff, { code: "TAKENCODE" });
    const batch = newBatch();
    const refused = await errorsOf(await createOne(staff, { code: "takencode", value: "7", batch }));
    expect(refused).toMatchObject({ status: 422, errors: { code: "The promotion code TAKENCODE exists already." } });
    expect(refused.values).toMatchObject({ code: "takencode", value: "7" });
    expect(await storedCodes(batch)).toEqual([]);
    expect((await createOne(staff, { code: "TAKENCOD2", batch })).status).toBe(303); // the same page, with a corrected code
  });

  test.each([
    ["12345678", "Promotion codes must be 9 or 10 characters in length."],
    ["12345678901", "Promotion codes must be 9 or 10 characters in length."],
    ["🚗🚗🚗🚗🚗", "Use the letters A to Z and digits only."],
    ["=SUM(A1:A9", "Use the letters A to Z and digits only."],
    ["שלוםשלוםש", "Use the letters A to Z and digits only."],
    ["CODE WITH1", "Use the letters A to Z and digits only."],
  ])("[PUR-07] refuses the code %j", async (code, message) => {
    expect((await errorsOf(await createOne(staff, { code }))).errors).toEqual({ code: message });
  });

  test.each([["ABCDEFGH9"], ["ABCDEFGHJ0"]])("[PUR-07] accepts the code %s", async (code) => {
    expect((await createOne(staff, { code })).status).toBe(303);
  });
});

describe.each(bothForms)("the common fields, creating %s", (_, create) => {
  test.each([
    ["value", "", "This field is required."],
    ["value", "   ", "This field is required."],
    ["value", "-1", "Entered value is not valid."],
    ["value", "0", "Entered value is not valid."],
    ["value", "0.00", "Entered value is not valid."],
    ["value", "1,5", "Entered value is not valid."],
    ["value", "1e9", "Entered value is not valid."],
    ["value", "1000000000", "Entered value is not valid."],
    ["value", "10000.01", "Entered value is not valid."],
    ["value", "1.234", "Entered value is not valid."],
    ["value", "€5", "Entered value is not valid."],
    ["value", "٣", "Entered value is not valid."],
    ["months", "", "This field is required."],
    ["months", "0", "Entered value is not valid."],
    ["months", "-1", "Entered value is not valid."],
    ["months", "49", "Entered value is not valid."],
    ["months", "1.5", "Entered value is not valid."],
    ["months", "1e1", "Entered value is not valid."],
    ["validUntil", "31/02/2030", "31/02/2030 is not a day of the calendar."],
    ["validUntil", "2030-02-31", "2030-02-31 is not a day of the calendar."],
    ["validUntil", "tomorrow", "Enter the date as DD/MM/YYYY, for example 23/11/2026."],
    ["validUntil", "2001-01-01", "The date is in the past."],
    ["batch", "x", "Invalid value."],
  ])("[PUR-07] %s %j is refused", async (field, typed, message) => {
    const { status, errors, values } = await errorsOf(await create(staff, { [field]: typed }));
    expect([status, errors]).toEqual([422, { [field]: message }]);
    expect(values[field]).toBe(typed);
  });

  test.each([
    ["value", "0.01"],
    ["value", "10000"],
    ["months", "1"],
    ["months", "48"],
    ["validUntil", "31/12/2998"],
    ["validUntil", "28/02/2031"],
  ])("[PUR-07] %s %j is accepted", async (field, typed) => {
    expect((await create(staff, { [field]: typed })).status).toBe(303);
  });

  test("[PUR-07] the last day can be today but not yesterday", async () => {
    await atOneMoment(async (now) => {
      expect((await create(staff, { validUntil: dayOf(now) })).status).toBe(303);
      const { errors } = await errorsOf(
        await create(staff, { validUntil: formatDate(addDays(now, -1).toISOString()) }),
      );
      expect(errors).toEqual({ validUntil: "The date is in the past." });
    });
  });

  test("[PUR-07] the same form sent twice, also at once, creates once", async () => {
    const batch = newBatch();
    const answers = await Promise.all([create(staff, { batch }), create(staff, { batch }), create(staff, { batch })]);
    for (const answer of answers)
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/home/promotion-codes?batch=${batch}`]);
    expect(await storedCodes(batch)).toHaveLength(create === createOne ? 1 : 3);
    expect(await promotionAudit(batch)).toHaveLength(1);
  });
});

describe("creating promotion codes in bulk", () => {
  test.each(["0", "-1", "10001", "2.5", "1e3", "", " "])("[PUR-07] refuses the number %j", async (count) => {
    const { errors } = await errorsOf(await createMany(staff, { count }));
    expect(errors.count).toBe(count.trim() === "" ? "This field is required." : "Entered value is not valid.");
  });

  test.each([
    ["ABCD", "Entered value is not valid."],
    ["A-1", "Use the letters A to Z and digits only."],
    ["=1+", "Use the letters A to Z and digits only."],
  ])("[PUR-07] refuses the prefix %j", async (prefix, message) => {
    expect((await errorsOf(await createMany(staff, { prefix }))).errors).toEqual({ prefix: message });
  });

  test("[PUR-07] creates 10,000 different random codes at once with one audit entry", async () => {
    const batch = newBatch();
    expect((await createMany(staff, { count: "10000", prefix: "iaa", batch })).status).toBe(303);
    const codes = (await storedCodes(batch)).map(({ code }) => code);
    expect(new Set(codes).size).toBe(10_000);
    expect(codes.every((code) => /^IAA[2-9A-HJ-NP-Z]{7}$/.test(code))).toBe(true);
    const firsts = new Set(codes.map((code) => code.charAt(3)));
    expect(firsts.size).toBe(CODE_ALPHABET.length);
    expect(await promotionAudit(batch)).toMatchObject([
      { message: "10000 promotion codes were created: €50.00, 12 months, valid for ever, prefix IAA." },
    ]);
  });

  test("[PUR-07] gives a file with every code of the creation once and its value", async () => {
    const batch = newBatch();
    await createMany(staff, { count: "2", value: "49.50", months: "6", validUntil: "31/12/2998", batch });
    const answer = await run(filePage.loader, staff.get("/"), { batch });
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="promotion-codes-[\w.-]+\.csv"$/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const rows: string[][] = parse(bytes, { bom: true });
    const codes = (await storedCodes(batch)).map(({ code }) => code);
    expect(rows).toEqual([
      ["Promotion code", "Value in euro", "Months", "Valid until"],
      ...codes.map((code) => [code, "49.50", "6", "31/12/2998"]),
    ]);
  });

  test("[PUR-07] keeps formulas as text in the file", async () => {
    const [batchId, createdAt] = [newBatch(), new Date()];
    await inTransaction((trx) => insertPromotionBatch(trx, { id: batchId, count: 5, createdAt }));
    const codes = ["=cmd|1+1", "+12345678", "-12345678", "@SUM(1,1)", 'a"b,c12345'];
    const rest = { valueCents: 100, months: 1, createdAt, batchId };
    await insertPromotionCodes(
      getDb(),
      codes.map((code) => ({ code, ...rest })),
    );
    const text = await (await run(filePage.loader, staff.get("/"), { batch: batchId })).text();
    const lines: string[][] = parse(text, { bom: true });
    const rows = lines.slice(1).map(([code]) => code);
    expect(rows.toSorted()).toEqual(["'=cmd|1+1", "'+12345678", "'-12345678", "'@SUM(1,1)", 'a"b,c12345'].toSorted());
  });

  test("[PUR-07] has no file for an unknown creation", async () => {
    for (const batch of [newBatch(), "", "../x"])
      expect((await run(filePage.loader, staff.get("/"), { batch })).status).toBe(404);
  });
});

describe("the pages of promotion codes", () => {
  test("[PUR-07] have equal labels in form and summary and keep the typed values without scripts", async () => {
    for (const [page, path, fields] of [
      [newPage, "/home/promotion-codes/new", { code: "short", value: "1,5", months: "0", validUntil: "31/02/2030" }],
      [bulkPage, "/home/promotion-codes/bulk", { count: "0", prefix: "?", value: "-1", months: "x", validUntil: "1" }],
    ] as const) {
      const { status, html } = await openPage(page, staff, path, { fields: { ...fields, batch: newBatch() } });
      expect(status).toBe(422);
      expect(summaryOf(html)).toHaveLength(Object.keys(fields).length);
      for (const [label, inSummary] of labelsOf(html)) expect(label.replace(" (optional)", "")).toBe(inSummary);
      expect(html).toContain(`value="${fields.value}"`);
    }
  });

  test("[DSH-03] give a file to administrators only", async () => {
    const batch = newBatch();
    await createMany(staff, { batch });
    const applicant = await signedInAs(await createUser());
    const answer = await run(filePage.loader, applicant.get("/"), { batch });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
    expect((await createMany(applicant, { batch: newBatch() })).headers.get("Location")).toBe("/home/dashboard");
  });
});
