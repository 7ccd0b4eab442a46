import { expect, test } from "vitest";
import { getProfile } from "~/domain/accounts/profile.service.server";
import * as userManagement from "~/routes/home.user-management/route";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { auditAbout } from "../support/administration";
import { toastOf } from "../support/code-details";
import { pageText, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { customer, pageFields, save, send, USER_MANAGEMENT } from "../support/user-details";
import { useVatServer } from "../support/vat-server";
import { errorsOf } from "../support/visitor";

useVatServer();
usePortal();

const NOTHING_SAVED =
  "Nothing has been saved. Fields that you changed were changed meanwhile, by somebody else or in another window.";
const storedNow = (stored: string) => `This was changed meanwhile. Stored now: '${stored}'. Your entry is kept.`;

test("[USR-03] the second of two windows is told what both changed, and shows what only the first changed", async () => {
  const { user, visitor } = await customer();
  const first = await pageFields(visitor);
  const second = { ...first, position: "From the second window" };
  await send(visitor, { ...first, position: "From the first window", "companyAddress.city": "York" });

  const { status, errors, values } = await errorsOf(await send(visitor, second));
  expect([status, errors]).toEqual([
    409,
    {
      form: `${NOTHING_SAVED} Decide about each of them, then press Save again. The form also shows what was changed in: City.`,
      position: storedNow("From the first window"),
    },
  ]);
  expect(values).toMatchObject({ position: "From the second window", companyAddress: { city: "York" } });
  expect(await getProfile(user.id)).toMatchObject({
    position: "From the first window",
    companyAddress: { city: "York" },
  });
});

test("[USR-03] changes of the other window are kept when this one changed other fields", async () => {
  const { user, visitor } = await customer();
  const stale = await pageFields(visitor);
  await save(visitor, { "companyAddress.city": "York", position: "First" });
  const response = await send(visitor, { ...stale, firstName: "Second" });
  expect((await toastOf(response))?.text).toBe(
    "User details successfully updated. Changed meanwhile, and kept as it is stored: Position, City.",
  );
  expect(await getProfile(user.id)).toMatchObject({
    firstName: "Second",
    position: "First",
    companyAddress: { city: "York" },
    invoicingAddress: { city: "York" },
  });
});

test("[USR-03] Save on the page with the conflict replaces the stored values, unless they changed once more", async () => {
  const { user, visitor } = await customer();
  const stale = { ...(await pageFields(visitor)), position: "Second" };
  const again = async () => {
    const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT, {
      fields: { ...stale, __rvfInternalFormId: "user-management" },
    });
    expect(pageText(html)).toContain("This was changed meanwhile.");
    expect(valueOf(html, "position")).toBe("Second");
    return { ...stale, version: valueOf(html, "version") ?? "", opened: valueOf(html, "opened") ?? "" };
  };
  await save(visitor, { position: "First" });
  const knowing = await again();
  await save(visitor, { position: "Third" });
  expect((await errorsOf(await send(visitor, knowing))).errors.position).toBe(storedNow("Third"));
  expect((await getProfile(user.id)).position).toBe("Third");
  expect((await send(visitor, await again())).status).toBe(303);
  expect((await getProfile(user.id)).position).toBe("Second");
});

test("[USR-03] a refused form keeps changes of the other window: correcting a field does not overwrite them", async () => {
  const { visitor } = await customer();
  const stale = await pageFields(visitor);
  await save(visitor, { position: "First" });
  const { html } = await openPage(userManagement, visitor, USER_MANAGEMENT, {
    fields: { ...stale, firstName: "", __rvfInternalFormId: "user-management" },
  });
  expect(valueOf(html, "position")).toBe("First");
});

test("[USR-04] the same form sent twice, in turn or at once, saves once", async () => {
  const { user, visitor } = await customer();
  const fields = { ...(await pageFields(visitor)), position: "CEO" };
  const answers = [...(await Promise.all([send(visitor, fields), send(visitor, fields)])), await send(visitor, fields)];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await auditAbout(user)).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Changed the user details: position from .+ to .+\.$/),
  ]);
});

test("[USR-03] logins and other changes that the page does not show are no conflict", async () => {
  const { user, visitor } = await customer();
  const fields = await pageFields(visitor);
  await updateUser(getDb(), user.id, { lastLoginAt: new Date(), failedLogins: 1 });
  expect((await send(visitor, { ...fields, position: "CEO" })).status).toBe(303);
});

test("[USR-03] a form that names no version overwrites nothing without a question", async () => {
  const { user, visitor } = await customer();
  const { version: _, opened: __, ...fields } = await pageFields(visitor);
  expect((await send(visitor, { ...fields, position: "CEO" })).status).toBe(409);
  expect((await getProfile(user.id)).position).toBe("EDI manager");
});
