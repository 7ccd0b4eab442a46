import { expect, test } from "vitest";
import { getProfile } from "~/domain/accounts/profile.service.server";
import * as userManagement from "~/routes/home.user-management";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { auditAbout } from "../support/administration";
import { pageText, select, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { customer, pageFields, save, send, USER_MANAGEMENT } from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { errorsOf } from "../support/visitor";

useVatServer();
usePortal();

const told = (parts: string) =>
  `These details were changed meanwhile, perhaps in another window. What is stored differs from what you see, by that change or your own, in: ${parts}. Save again to replace it.`;

test("[USR-03] of two windows the second is told what is stored meanwhile, and nothing is overwritten before", async () => {
  const { user, visitor } = await customer();
  const first = await pageFields(visitor);
  const second = { ...first, position: "From the second window" };
  await send(visitor, { ...first, position: "From the first window", "companyAddress.city": "York" });

  const { status, errors, values } = await errorsOf(await send(visitor, second));
  expect([status, errors]).toEqual([
    409,
    {
      form: told(
        "position (stored now: 'From the first window'), company address (stored now: '1 Mill Lane, York CV1 1AA, United Kingdom'), invoicing address (stored now: 'Example Parts Ltd, 1 Mill Lane, York CV1 1AA, United Kingdom')",
      ),
    },
  ]);
  expect(values).toMatchObject({ position: "From the second window" });
  expect(await getProfile(user.id)).toMatchObject({
    position: "From the first window",
    companyAddress: { city: "York" },
  });
});

test("[USR-03] Save on the page that told so replaces it, unless it was changed once more", async () => {
  const { user, visitor } = await customer();
  const stale = { ...(await pageFields(visitor)), position: "Second" };
  const again = async () => {
    const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT, {
      fields: { ...stale, __rvfInternalFormId: "user-management" },
    });
    expect(pageText(html)).toContain("These details were changed meanwhile");
    expect(valueOf(html, "position")).toBe("Second");
    return { ...stale, replaces: valueOf(html, "replaces") ?? "" };
  };
  await save(visitor, { position: "First" });
  const knowing = await again();
  await save(visitor, { position: "Third" });
  expect((await errorsOf(await send(visitor, knowing))).errors).toEqual({
    form: told("position (stored now: 'Third')"),
  });
  expect((await getProfile(user.id)).position).toBe("Third");
  expect((await send(visitor, await again())).status).toBe(303);
  expect((await getProfile(user.id)).position).toBe("Second");
});

test("[USR-03] a refused form keeps the version it was made from: mending a field is no leave to overwrite", async () => {
  const { visitor } = await customer();
  const stale = await pageFields(visitor);
  await save(visitor, { position: "First" });
  const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT, {
    fields: { ...stale, firstName: "", __rvfInternalFormId: "user-management" },
  });
  expect(select(html, `[name="version"][value="${stale.version}"]`)).toHaveLength(1);
  expect(select(html, '[name="replaces"]')).toHaveLength(0);
});

test("[USR-04] the same form sent twice, one after the other or at once, saves once", async () => {
  const { user, visitor } = await customer();
  const fields = { ...(await pageFields(visitor)), position: "CEO" };
  const answers = [...(await Promise.all([send(visitor, fields), send(visitor, fields)])), await send(visitor, fields)];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await auditAbout(user)).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Changed the user details: position from .+ to .+\.$/),
  ]);
});

test("[USR-03] logins and other changes of the account that the page does not show are no conflict", async () => {
  const { user, visitor } = await customer();
  const fields = await pageFields(visitor);
  await updateUser(getDb(), user.id, { lastLoginAt: new Date(), failedLogins: 1 });
  expect((await send(visitor, { ...fields, position: "CEO" })).status).toBe(303);
});

test("[USR-03] a form that names no version overwrites nothing unasked", async () => {
  const { user, visitor } = await customer();
  const { version: _, ...fields } = await pageFields(visitor);
  expect((await send(visitor, { ...fields, position: "CEO" })).status).toBe(409);
  expect((await getProfile(user.id)).position).toBe("EDI manager");
});
