import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import {
  completeRegistration,
  CUSTOMER,
  fill,
  heading,
  painted,
  press,
  register,
  registrationOf,
} from "./support/journey";

const state = useBrowser();

const customer = (name: string) => ({ ...CUSTOMER, email: `${name}@example-parts.com` });
const field = (page: Page, name: string) => page.locator(`[name="${name}"]:not([type="hidden"])`);

async function fillRegistration(page: Page, email: string): Promise<void> {
  await page.goto("/register");
  await fill(page, registrationOf({ ...CUSTOMER, email }));
}

describe(`registration, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[REG-06] Register clicked twice registers once and continues to the details", async () => {
    const page = await state.open();
    await fillRegistration(page, "twice@example-parts.com");
    await page.getByRole("button", { name: "Register", exact: true }).dblclick();
    await heading(page, "Company Registration");
    const mails = (await state.portal.mails()).filter((mail) => mail.to?.[0]?.address === "twice@example-parts.com");
    expect(mails.length).toBeLessThanOrEqual(1);
  });

  test("[REG-08] a known email leads to the login and keeps what was typed", async () => {
    const known = customer("known");
    await register(await state.open(), known);
    const page = await state.open();
    await fillRegistration(page, known.email);
    await fill(page, { firstName: "Bernd" });
    await press(page, "Register");
    await page.getByText("You have an account already.").waitFor();
    await page.getByRole("button", { name: "Register", exact: true }).waitFor(); // the button no longer says "Registering…"
    expect(await field(page, "firstName").inputValue()).toBe("Bernd");
    await page.getByText("Passwords and the security answer are never sent back to you.").waitFor();
    for (const name of ["password", "confirmPassword", "securityAnswer"])
      expect(await field(page, name).inputValue()).toBe("");
    await page.getByRole("link", { name: "Log in", exact: true }).click();
    if (withScripts) await page.getByRole("button", { name: "Yes", exact: true }).click();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
  });

  test("[LOG-08] [REG-03] the typed values survive a login in another tab", async () => {
    const first = customer("tab-one");
    await register(await state.open(), first);
    const page = await state.open();
    await page.goto("/register");
    await fillRegistration(page, customer("tab-two").email);
    const other = await page.context().newPage();
    await other.goto("/login");
    await fill(other, { email: first.email, password: first.password });
    await press(other, "Login");
    await heading(other, "Company Registration");
    await press(page, "Register");
    await page.getByText("This form was opened before you last logged in or out.").first().waitFor();
    expect(await field(page, "email").inputValue()).toBe(customer("tab-two").email);
    const { password, confirmPassword, securityAnswer } = registrationOf(customer("tab-two"));
    await fill(page, { password, confirmPassword, securityAnswer });
    await press(page, "Register");
    await heading(page, "Company Registration");
  });

  test("[CRD-02] complete registration: another country clears the VAT number and nothing else", async () => {
    const page = await state.open();
    await register(page, customer("country"));
    const vat = field(page, "vatNumber");
    const choose = async (country: string) => {
      await fill(page, { "companyAddress.country": country });
      if (!withScripts) await page.getByRole("button", { name: "Update country" }).first().click();
    };
    await fill(page, { companyRegistrationNumber: "HRB 1" });
    await choose("Germany");
    await vat.fill("DE123456789");
    await choose("Switzerland");
    expect(await vat.inputValue()).toBe("");
    await vat.fill("CHE123456789");
    await choose("Switzerland");
    expect(await vat.inputValue()).toBe("CHE123456789");
    expect(await field(page, "companyRegistrationNumber").inputValue()).toBe("HRB 1");
    expect(await page.getByText("There is a problem").count()).toBe(0);
  });
});

if (withScripts)
  describe("registration with scripts only", () => {
    test("[REG-06] copy and paste are blocked on email and password fields only; autofill is not", async () => {
      const page = await state.open();
      await page.goto("/register");
      await heading(page, "Registration");
      const isBlocked = (name: string, type: string) =>
        field(page, name).evaluate(
          (input, kind) => !input.dispatchEvent(new ClipboardEvent(kind, { bubbles: true, cancelable: true })),
          type,
        );
      for (const type of ["copy", "cut", "paste"]) {
        for (const name of ["email", "confirmEmail", "password", "confirmPassword"])
          await expect.poll(() => isBlocked(name, type)).toBe(true);
        for (const name of ["firstName", "securityAnswer"]) expect(await isBlocked(name, type)).toBe(false);
      }
      await fill(page, { email: "filled@example-parts.com" });
      expect(await field(page, "email").inputValue()).toBe("filled@example-parts.com");
    });

    test("[REG-06] while the registration is being sent, Cancel is hidden and Register does nothing more", async () => {
      const page = await state.open();
      await fillRegistration(page, "slow@example-parts.com");
      let sent = 0;
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(/\/register/, async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        sent += 1;
        await held;
        return route.continue();
      });
      await press(page, "Register");
      await page.getByRole("button", { name: "Registering…" }).click({ force: true });
      await field(page, "firstName").press("Enter");
      expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(0);
      release();
      await heading(page, "Company Registration");
      expect(sent).toBe(1);
    });

    test("[REG-05] a refused form asks before it is left, also while the loaders of the page still run", async () => {
      const known = customer("refused");
      await register(await state.open(), known);
      const page = await state.open();
      await fillRegistration(page, known.email);
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(/_data=/, async (route) => {
        if (route.request().method() === "GET") await held;
        return route.continue();
      });
      await press(page, "Register");
      await page.getByText("You have an account already.").waitFor();
      await page.getByRole("link", { name: "Log in", exact: true }).click();
      await page.getByText("Do you really want to cancel?").waitFor();
      release(); // the router takes the question back as it ends, and stays
      await page.getByRole("button", { name: "Register", exact: true }).waitFor();
      expect(await field(page, "firstName").inputValue()).toBe("Anna");
    });

    test("[REG-07] messages appear only after Register and disappear when the field is corrected", async () => {
      const page = await state.open();
      await page.goto("/register");
      const messages = page.locator(".err");
      const email = field(page, "email");
      await email.pressSequentially("no address");
      await field(page, "firstName").focus();
      await painted(page);
      expect(await messages.count()).toBe(0);
      await press(page, "Register");
      await page.getByText("There is a problem").waitFor();
      expect(await messages.filter({ hasText: "Email address is not valid." }).count()).toBe(1);
      await email.fill("an.address@example-parts.com");
      await messages.filter({ hasText: "Email address is not valid." }).waitFor({ state: "detached" });
    });

    test("[REG-05] complete registration asks before typed details are lost", async () => {
      const page = await state.open();
      await register(page, customer("leaving"));
      await fill(page, { companyRegistrationNumber: "HRB 1" });
      await press(page, "Log out");
      await page.getByText("Do you really want to cancel?").waitFor();
      await press(page, "No");
      expect(await field(page, "companyRegistrationNumber").inputValue()).toBe("HRB 1");
      await completeRegistration(page);
    });
  });
