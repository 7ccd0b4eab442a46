import { readFileSync } from "node:fs";
import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import {
  approve,
  authorise,
  buy,
  CN,
  completeRegistration,
  CUSTOMER,
  type Customer,
  fill,
  heading,
  linkFor,
  logIn,
  press,
  register,
  registrationOf,
  verifyEmail,
} from "./support/journey";

const state = useBrowser();
const files = useOpenssl();

const ROSA: Customer = {
  ...CUSTOMER,
  firstName: "Rosa",
  lastName: "Luftig",
  email: "rosa.luftig@example-parts.com",
};

/** Answers the question whether to do something that cannot be undone. With scripts it is a dialog. */
const confirm = (page: Page, name: string) =>
  (withScripts ? page.getByRole("dialog") : page).getByRole("button", { name, exact: true }).click();

/** Registers Rosa by an invitation, as a purchaser. */
async function joined(owner: Page): Promise<Page> {
  await owner.goto("/home/company");
  await fill(owner, { email: ROSA.email, role: "Purchaser" });
  await press(owner, "Invite");
  await owner.getByText(`The invitation is on its way to ${ROSA.email}.`).waitFor();
  const page = await state.open();
  await page.goto(await linkFor(state.portal, ROSA.email, "/invitation/"));
  await page.getByRole("link", { name: "Register" }).click();
  await heading(page, "Registration");
  const { company: _, email: __, confirmEmail: ___, ...typed } = registrationOf(ROSA);
  await fill(page, typed);
  await press(page, "Register");
  await heading(page, "Welcome, Rosa");
  return page;
}

/** Downloads the data of whoever is logged in. */
async function download(page: Page): Promise<Record<string, Record<string, unknown>[]>> {
  await page.goto("/home/personal-data");
  await heading(page, "Your data");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download your data" }).click(),
  ]);
  return JSON.parse(readFileSync(await file.path(), "utf8")) as Record<string, Record<string, unknown>[]>;
}

describe(`personal data, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[USR-06] [USR-07] a person downloads her data and has it erased: no login, a pseudonym in the lists, a sound audit trail", async () => {
    const [owner, admin] = [await state.open(), await state.open()];
    await register(owner, CUSTOMER);
    await completeRegistration(owner);
    await verifyEmail(owner, state.portal, CUSTOMER);
    await logIn(admin);
    const rosa = await joined(owner);
    await rosa.goto("/home/certificates");
    const { pem } = files.makeCsr({ subject: `/C=DE/L=Köln/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] });
    const order = await buy(rosa, pem);

    // The file has what she did, and nothing of her colleague.
    const data = await download(rosa);
    expect(data.accounts).toEqual([expect.objectContaining({ email: ROSA.email, lastName: "Luftig" })]);
    expect(data.certificates).toEqual([expect.objectContaining({ commonName: CN })]);
    expect(JSON.stringify(data)).not.toContain(CUSTOMER.email);

    // As the contact of a pending order she cannot go.
    await rosa.getByRole("link", { name: "Erase your data" }).click();
    await heading(rosa, "Erase your data");
    await rosa.getByText(`must be decided or cancelled first: ${order}.`).waitFor();
    expect(await rosa.getByRole("button", { name: "Erase your data" }).count()).toBe(0);
    await authorise(await state.open(), state.portal, order);
    await approve(admin, order);

    await rosa.reload();
    await press(rosa, "Erase your data");
    await rosa.getByText("Are you sure you wish to have your data erased? This cannot be undone.").waitFor();
    await confirm(rosa, "Ask for the erasure");
    await rosa.getByText("You have asked for the erasure of your data.").waitFor();
    expect(await rosa.getByRole("button", { name: "Keep your data" }).count()).toBe(1);

    await admin.goto("/home/users");
    await admin.getByText("People who ask for the erasure of their data").waitFor();
    await admin.getByRole("link", { name: "Rosa Luftig" }).first().click();
    await admin.getByText("This person asks for the erasure of their data.").waitFor();
    await fill(admin, { reason: "Asked on the page" });
    await press(admin, "Erase personal data");
    await admin.getByText("Have you made sure that it is this person who asks for it?").first().waitFor();
    await confirm(admin, "Erase personal data");
    await admin.getByText("The personal data of the account has been erased.").waitFor();
    const pseudonym = `Erased person ${new URL(admin.url()).pathname.split("/").at(-1)}`;
    await heading(admin, pseudonym);

    // Her session has ended, and nobody can log in with her password.
    await rosa.goto("/home/certificates");
    await rosa.getByRole("heading", { name: "Log in" }).waitFor();
    await fill(rosa, { email: ROSA.email, password: ROSA.password });
    await press(rosa, "Login");
    await rosa.getByText("The username you have entered is Invalid.").first().waitFor();
    await linkFor(state.portal, ROSA.email, "", "Your data has been erased");

    // What she ordered is the company's, under her number.
    await owner.goto("/home/certificates");
    await owner.getByRole("row").filter({ hasText: CN }).filter({ hasText: pseudonym }).waitFor();
    await owner.goto("/home/company");
    for (const page of [owner, admin]) {
      await page.goto(page === owner ? "/home/company" : "/home/users");
      expect(await page.getByText("Luftig").count()).toBe(0);
    }
    expect(await state.portal.command(["audit", "verify"])).toMatchObject({ code: 0 });
  });
});
