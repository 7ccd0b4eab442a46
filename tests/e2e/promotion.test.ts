import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { completeRegistration, CONTACT, CUSTOMER, fill, heading, logIn, press, register } from "./support/journey";

const state = useBrowser();

/** Creates a code worth 50 euro for 24 months, as staff do. */
async function createCode(admin: Page, code: string): Promise<void> {
  await logIn(admin);
  await admin.goto("/home/promotion-codes/new");
  await fill(admin, { code, value: "50", months: "24" });
  await admin.locator("main form").getByRole("button").last().click();
  await admin.getByText("The promotion code has been created.").waitFor();
}

describe(`promotion codes, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[PUR-07] [PUR-06] a code takes effect after a pause in typing with scripts, and with Apply without them", async () => {
    await createCode(await state.open(), "SPRING2026");
    const page = await state.open();
    await register(page, CUSTOMER);
    await completeRegistration(page);
    await page.goto("/home/certificates");
    await page.getByRole("link", { name: "Purchase New Certificate" }).click();
    await fill(page, CONTACT);
    await press(page, "Confirm");
    await heading(page, "Purchase Certificate: order");

    const code = page.locator('[name="promoCode"]');
    const statusId = `${await code.getAttribute("id")}-status`;
    const said = () => page.locator(`#${statusId}`).innerText();
    expect((await code.getAttribute("aria-describedby"))?.split(" ")).toContain(statusId);
    expect(await page.locator(`#${statusId}`).getAttribute("role")).toBe("status");
    expect(await said()).toBe("");
    const summary = page.locator("aside");

    if (!withScripts) {
      await fill(page, { promoCode: "spring2026", validityPeriod: "2 years" });
      await page.locator("main").getByRole("button", { name: "Apply" }).click();
      await summary.getByText("−€50.00").waitFor();
      expect(await said()).toBe("Promotional discount: €50.00");
      return;
    }
    await code.pressSequentially("NOSUCHONE");
    await expect.poll(said).toBe("The promotion code NOSUCHONE you have entered is invalid.");
    expect(await page.getByText("There is a problem").count()).toBe(0);
    await code.fill("spring2026");
    await expect
      .poll(said)
      .toBe(
        "This promotion code spring2026 exceeds the duration of the certificate. Please increase the validity period.",
      );
    await fill(page, { validityPeriod: "2 years" });
    await expect.poll(said).toBe("Promotional discount: €50.00");
    expect(await summary.innerText()).toMatch(/Promotional discount\s+−€50\.00\s+Balance to pay\s+€530\.00/);
    expect(await code.inputValue()).toBe("spring2026");
    expect(new URL(page.url()).pathname).toBe("/home/certificate/purchase/order");
    await code.fill("spring20");
    await summary.getByText("€580.00").last().waitFor();
    expect(await said()).toBe("");

    // After too many tries only the discount is missing; Next says why.
    await page.route("**/home/certificate/purchase/promotion?*", (route) => route.fulfill({ status: 429 }));
    const asked = page.waitForRequest(/purchase\/promotion\?code=OTHERCODE/);
    await code.fill("OTHERCODE");
    await asked;
    expect(await said()).toBe("");
    await press(page, "Next");
    await page.getByText("There is a problem").waitFor();
  });
});
