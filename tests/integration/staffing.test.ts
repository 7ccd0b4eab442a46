import { expect, test } from "vitest";
import * as queuePage from "~/routes/home.certificate-queue._index";
import * as overviewPage from "~/routes/home.overview";
import * as usersPage from "~/routes/home.users._index";
import { createAdmin, createStaff } from "../support/factories";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signedInAs } from "../support/visitor";

usePortal({}, "strict");

const PAGES = [
  [overviewPage, "/home/overview"],
  [usersPage, "/home/users"],
  [queuePage, "/home/certificate-queue"],
] as const;

test("[MAN-02] the pages of staff say which people a strict portal lacks, until there are enough who can log in", async () => {
  const admin = await signedInAs(await createAdmin({ firstName: "Only", lastName: "One" }));
  const pages = () =>
    Promise.all(PAGES.map(async ([page, path]) => pageText((await openPage(page, admin, path)).html)));
  const title = "People are missing for the strict four-eyes principle";
  for (const text of await pages()) {
    expect(text).toContain(title);
    expect(text).toContain("Only one person can record the checks of an order and approve it");
    expect(text).toContain('users grant EMAIL "User administrator" --operator WHO');
  }
  await createStaff(["registration-officer"], { firstName: "Ian" });
  await createStaff(["user-administrator"], { firstName: "Out", isDisabled: true });
  for (const text of await pages()) {
    expect(text).not.toContain("Only one person");
    expect(text).toContain("there is only one.");
  }
  await createStaff(["user-administrator"], { firstName: "Rita" });
  for (const text of await pages()) expect(text).not.toContain(title);
});
