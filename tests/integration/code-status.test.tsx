import { describe, expect, test } from "vitest";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import * as details from "~/routes/home.codes_.code-details/route";
import { getDb } from "~db/connection.server";
import { findCode } from "~db/repositories/codes.server";
import { type CodeStatus } from "~db/tables";
import { ENTITY, pageOf, refusal, send, toastOf, update } from "../support/code-details";
import { createCode } from "../support/codes";
import { pageText, textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, type Visitor } from "../support/visitor";

usePortal();
const people = usePeople();

const QUESTION =
  "Are you sure wish to change the status of this code to 'Cancelled'? This code will no longer be editable within the system.";
const statusOf = async (id: number) => (await findCode(getDb(), id))?.status;
const confirmed = { confirmed: "yes" };

/** Stores a code of the customer, with one sub-code. */
async function family(parentStatus: CodeStatus, subStatus: CodeStatus) {
  const parent = await createCode(people.customer, { status: parentStatus });
  const given = { code: parent.code, subcode: "01", parentId: parent.id, status: subStatus };
  return { parent, sub: await createCode(people.customer, given) };
}

describe("[COD-06] the question before a customer cancels a code", () => {
  test("is a page of its own; OK saves everything that was typed", async () => {
    const { visitor } = people.customer;
    const { id, updatedAt } = await createCode(people.customer);
    const path = paths.codeDetails({ code: id });
    const fields = { entityName: "Old & gone", status: "Cancelled", version: updatedAt, useCompanyAddress: "on" };
    const sent = {
      ...fields,
      entityTypes: "IT",
      "mailingAddress.addressLine1": "1 Lane",
      "mailingAddress.city": "York",
    };
    const whole = { ...sent, "mailingAddress.postalCode": "YO1", "mailingAddress.country": "826" };
    const { html } = await openPage(details, visitor, path, { fields: whole });
    expect(pageText(html)).toContain(QUESTION);
    expect(textsOf(html, "h1")).toEqual(["Code status"]);
    expect(await statusOf(id)).toBe("Registered");

    const asked = await jsonOf<{ asked: Record<string, string> }>(await send(visitor, path, whole));
    const response = await send(visitor, path, { ...asked.asked, ...confirmed });
    expect([response.status, await statusOf(id)]).toEqual([303, "Cancelled"]);
    expect(await findCode(getDb(), id)).toMatchObject({
      entityName: "Old & gone",
      entityType: 512,
      usePhysicalAddress: false,
    });
  });

  test("keeps several entity types; Cancel restores the status and keeps the rest", async () => {
    const { visitor } = people.customer;
    const { id, updatedAt } = await createCode(people.customer);
    const path = paths.codeDetails({ code: id });
    const typed = { ...ENTITY, status: "Cancelled", version: updatedAt, entityTypes: ["IT", "Sales"] };
    const { asked } = await jsonOf<{ asked: Record<string, string> }>(await send(visitor, path, typed));
    const back = await send(visitor, path, { ...asked, ...confirmed, back: "yes" });
    expect(await jsonOf(back)).toMatchObject({
      repopulateFields: { status: "Registered", entityName: "Plant Nord", entityTypes: ["IT", "Sales"] },
    });
    expect(await statusOf(id)).toBe("Registered");
    await send(visitor, path, { ...asked, ...confirmed });
    expect(await findCode(getDb(), id)).toMatchObject({ status: "Cancelled", entityType: 544 });
  });

  test("is not shown to administrators", async () => {
    const { id } = await createCode(people.customer);
    expect((await update(people.admin.visitor, id, { status: "Cancelled" })).status).toBe(303);
    expect(await statusOf(id)).toBe("Cancelled");
  });

  test("is not shown when the code cannot be cancelled", async () => {
    const { parent } = await family("Registered", "Registered");
    expect(await refusal(update(people.customer.visitor, parent.id, { status: "Cancelled" }))).toMatchObject({
      status: 422,
      errors: {
        status: "This code cannot be cancelled because it has one or more sub codes which are still Registered.",
      },
    });
    expect(
      (await refusal(update(people.customer.visitor, parent.id, { status: "Cancelled", ...confirmed }))).status,
    ).toBe(422);
    expect(await statusOf(parent.id)).toBe("Registered");
  });
});

describe("[COD-06] parents and sub-codes", () => {
  test("a parent whose sub-codes are all cancelled can be cancelled, also by its owner", async () => {
    const { parent } = await family("Registered", "Cancelled");
    await update(people.customer.visitor, parent.id, { status: "Cancelled", ...confirmed });
    expect(await statusOf(parent.id)).toBe("Cancelled");
  });

  test.each(["Cancelled", "Expired"] as const)("under a %s parent no sub-code becomes Registered", async (status) => {
    const { sub } = await family(status, "Cancelled");
    expect(await refusal(update(people.admin.visitor, sub.id, { status: "Registered" }))).toMatchObject({
      status: 422,
      errors: {
        status: `This code status cannot be changed to 'Registered' because the status of it's parent code is '${status}'.`,
      },
    });
    expect((await update(people.admin.visitor, sub.id, { status: "Expired" })).status).toBe(303);
  });

  test("under a registered parent a sub-code becomes Registered", async () => {
    const { sub } = await family("Registered", "Cancelled");
    expect((await update(people.admin.visitor, sub.id, { status: "Registered" })).status).toBe(303);
    expect(await statusOf(sub.id)).toBe("Registered");
  });

  test("with a parent its Registered sub-codes expire, each with its own entry; cancelled ones stay", async () => {
    const { parent, sub } = await family("Registered", "Registered");
    const given = { code: parent.code, subcode: "02", parentId: parent.id, status: "Cancelled" as const };
    const cancelled = await createCode(people.customer, given);
    const { html } = await openPage(details, people.admin.visitor, paths.codeDetails({ code: parent.id }));
    expect(pageText(html)).toContain(`If the code expires, its sub-entity ${parent.code}01 expires with it.`);
    const answer = await update(people.admin.visitor, parent.id, { status: "Expired" });
    expect(await toastOf(answer)).toEqual({
      kind: "ok",
      text: `Details have been saved successfully. Its sub-entity ${parent.code}01 expired with it.`,
    });
    expect(await Promise.all([parent, sub, cancelled].map(({ id }) => statusOf(id)))).toEqual([
      "Expired",
      "Expired",
      "Cancelled",
    ]);
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select(["codeId", "event", "message", "actorName"])
      .where("codeId", "in", [parent.id, sub.id, cancelled.id])
      .orderBy("id")
      .execute();
    expect(entries).toEqual([
      {
        codeId: sub.id,
        event: "code.expired-with-parent",
        message: `Expired the sub-entity ${parent.code}01 with its parent code.`,
        actorName: people.admin.email,
      },
      {
        codeId: parent.id,
        event: "code.changed",
        message: expect.stringContaining(
          `status. The status was 'Registered' and is 'Expired'. Its sub-entity ${parent.code}01 expired with it.`,
        ) as string,
        actorName: people.admin.email,
      },
    ]);
  });

  test("the page says which sub-codes expire to users who can choose it, and only for statuses that cause it", async () => {
    const { parent, sub } = await family("Registered", "Registered");
    const page = async (who: Visitor, id = parent.id) =>
      (await openPage(details, who, paths.codeDetails({ code: id }))).html;
    expect(await page(people.customer.visitor)).not.toContain("expires with it");
    expect(await page(people.admin.visitor, sub.id)).not.toContain("with it");
    await update(people.admin.visitor, parent.id, { status: "Expired" });
    expect(await page(people.admin.visitor)).not.toContain("expires with it");
    const again = await update(people.admin.visitor, parent.id, { status: "Expired", shortName: "P" });
    expect(await toastOf(again)).toEqual({ kind: "ok", text: "Details have been saved successfully" });
    await update(people.admin.visitor, parent.id, { status: "Registered" });
    const alone = await update(people.admin.visitor, parent.id, { status: "Expired" });
    expect(await toastOf(alone)).toEqual({ kind: "ok", text: "Details have been saved successfully" });
  });

  test("of cancelling a parent and registering a sub-code at once one is refused", async () => {
    const { parent, sub } = await family("Registered", "Cancelled");
    const answers = await Promise.all([
      update(people.admin.visitor, parent.id, { status: "Cancelled" }),
      update(people.admin.visitor, sub.id, { status: "Registered" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect([await statusOf(parent.id), await statusOf(sub.id)]).not.toEqual(["Cancelled", "Registered"]);
  });
});

describe("[COD-06] the status of a code", () => {
  test("Expired is offered to administrators only", async () => {
    const { id } = await createCode(people.customer);
    const path = paths.codeDetails({ code: id });
    expect((await pageOf(people.customer.visitor, path)).rules.statuses).toEqual(["Registered", "Cancelled"]);
    expect((await pageOf(people.admin.visitor, path)).rules.statuses).toEqual(["Registered", "Cancelled", "Expired"]);
    expect(await refusal(update(people.customer.visitor, id, { status: "Expired" }))).toMatchObject({
      status: 422,
      errors: { status: messages.collection },
    });
    expect((await update(people.admin.visitor, id, { status: "Expired" })).status).toBe(303);
  });

  test.each([
    ["", messages.required],
    [" ", messages.required],
    ["registered", messages.collection],
    ["Unknown", messages.collection],
  ])("%o is refused", async (status, message) => {
    const { id } = await createCode(people.customer);
    expect((await refusal(update(people.customer.visitor, id, { status }))).errors).toEqual({ status: message });
  });
});
