import { type Locator, type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { checksDone } from "../support/certificates";
import { useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificateOrder } from "./support/codes";
import { CUSTOMER, fill, logIn, press, register, verifyEmail } from "./support/journey";

const state = useBrowser();
const files = useOpenssl();

/** Clicks that are counted. */
function clicker() {
  const counted = { clicks: 0 };
  const click = async (target: Locator) => {
    counted.clicks += 1;
    await target.click();
  };
  return { counted, click };
}

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const radio = (page: Page, name: string) => page.getByRole("radio", { name });

/** The box that selects the order with this common name. */
const selection = (page: Page, host: string) => page.getByRole("row", { name: host }).getByRole("checkbox");

const EMAIL = "walk@example-parts.com";

describe(`staff's walk through the queue, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[MAN-03] three checks and the approval of an order take five clicks and no typing, and the next order opens", async () => {
    const anna = { ...CUSTOMER, email: EMAIL };
    const visitor = await state.open();
    await register(visitor, anna);
    await verifyEmail(visitor, state.portal, anna);
    const hosts = ["one", "two"].map((name) => `${name}.walk.example.com`);
    for (const host of hosts) {
      const { pem } = files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${host}`, san: [`DNS:${host}`] });
      await giveCertificateOrder(state.portal, EMAIL, pem);
    }
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/certificate-queue");
    await page.getByRole("link", { name: hosts[0] }).click();
    await page.getByText("Order 1 of 2").waitFor();
    const { counted, click } = clicker();
    await click(radio(page, "Called back through the switchboard"));
    await click(radio(page, "Trade register seen"));
    await click(radio(page, "Agrees with the register"));
    await click(button(page, "Record and approve"));
    await page.getByText("Are you sure you wish to approve this order and issue its certificate?").waitFor();
    await click(button(page, "Approve and issue"));
    await page.locator("#message").getByText(`The certificate for ${hosts[0]} has been issued`).waitFor();
    expect(counted.clicks).toBe(5);
    await page
      .locator("dl")
      .getByText(hosts[1] ?? "")
      .first()
      .waitFor();
    await expect.poll(() => isFocused(page.locator("#message"))).toBe(true);
  });

  test("[MAN-03] a check that is not chosen is named, and what was chosen stays", async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/certificate-queue");
    await page.getByRole("link", { name: "two.walk.example.com" }).click();
    await radio(page, "Trade register seen").check();
    await press(page, "Record and approve");
    const problem = page.getByRole("link", { name: /^CSR and company: Not checked yet/ });
    await problem.waitFor();
    expect(await radio(page, "Trade register seen").isChecked()).toBe(true);
    const first = page.locator('[name="csr"]').first();
    // The summary takes the focus once the answer is there.
    await expect.poll(() => problem.click().then(() => isFocused(first))).toBe(true);
  });

  test("[MAN-03] the note of another choice shows only with it, and the decision is in view while the page scrolls", async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/certificate-queue");
    await page.getByRole("link", { name: "two.walk.example.com" }).click();
    const note = page.locator('[name="csrNote"]');
    await note.waitFor({ state: "hidden" });
    await page.locator('[name="csr"][value="other"]').check();
    await note.waitFor();
    await page.getByText("Invoice and payment").first().scrollIntoViewIfNeeded();
    const { top, bottom } = await button(page, "Record and approve").evaluate((one) => {
      const { top: above, bottom: below } = one.getBoundingClientRect();
      return { top: above, bottom: below };
    });
    expect(top >= 0 && bottom <= (page.viewportSize()?.height ?? 0)).toBe(true);
  });

  test("[MAN-03] the form of the next order has its own texts", async () => {
    for (const host of ["three", "four"].map((name) => `${name}.walk.example.com`)) {
      const { pem } = files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${host}`, san: [`DNS:${host}`] });
      await giveCertificateOrder(state.portal, EMAIL, pem);
    }
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/certificate-queue");
    await page.getByRole("link", { name: "three.walk.example.com" }).click();
    await radio(page, "Agrees with the register").check();
    await fill(page, { decisionReason: "Key too short" });
    await press(page, "Record and next");
    await page.locator("dl").getByText("four.walk.example.com").first().waitFor();
    expect(await page.locator('[name="decisionReason"]').inputValue()).toBe("");
    await page.getByRole("link", { name: "Previous" }).click();
    await page.locator("dl").getByText("three.walk.example.com").first().waitFor();
    expect(await page.locator('[name="decisionReason"]').inputValue()).toBe("Key too short");
    await page.getByRole("link", { name: "Next" }).click();
    await page.locator("dl").getByText("four.walk.example.com").first().waitFor();
    await expect.poll(() => page.locator('[name="decisionReason"]').inputValue()).toBe("");
    expect(await page.locator('[name="csr"]:checked').getAttribute("value")).toBe("");
  });

  test("[MAN-03] all ready orders of the queue are approved with three clicks", async () => {
    for (let number = 0; number < 12; number += 1) {
      const host = `ready${number}.walk.example.com`;
      const { pem } = files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${host}`, san: [`DNS:${host}`] });
      await giveCertificateOrder(state.portal, EMAIL, pem, checksDone());
    }
    const page = await state.open();
    await logIn(page);
    const { counted, click } = clicker();
    await click(page.getByRole("link", { name: "Certificate queue" }).first());
    await click(page.getByRole("link", { name: "Approve all that are ready" }));
    await page.getByText("Are you sure you wish to approve 12 orders and issue the certificates?").waitFor();
    await click(button(page, "Approve"));
    await page.getByRole("link", { name: "ready11.walk.example.com" }).waitFor();
    expect(counted.clicks).toBe(3);
  });

  test("[MAN-03] an order is taken and commented, selected contacts are reminded, and selected orders are exported", async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/certificate-queue");
    await page.getByRole("link", { name: "two.walk.example.com" }).click();
    await press(page, "Take");
    await page.locator("#work").getByText("You work on this order now.").waitFor();
    await fill(page, { comment: "Called, nobody there." });
    await press(page, "Add comment");
    await page.locator("#comments").getByText("The comment was added.").waitFor();
    expect(await page.locator("#comments .lines").textContent()).toBe("Called, nobody there.");
    expect(await page.locator('[name="comment"]').inputValue()).toBe("");
    await page.goto("/home/certificate-queue?work=mine");
    expect(await page.locator("#pending-orders tbody th a").allTextContents()).toEqual(["two.walk.example.com"]);
    await press(page, "Remind selected contacts");
    await page.getByRole("link", { name: "Select orders first." }).waitFor();
    await selection(page, "two.walk.example.com").check();
    await press(page, "Remind selected contacts");
    await page.getByText("Are you sure you wish to remind the contact of this order by email?").waitFor();
    await press(page, "Remind");
    await page.getByText("1 contact is reminded by email.").waitFor();
    expect(new URL(page.url()).search).toBe("?work=mine");
    await selection(page, "two.walk.example.com").check();
    const saved = page.waitForEvent("download");
    await press(page, "Export selected");
    expect((await saved).suggestedFilename()).toBe("certificate-queue.csv");
  });

  test("[MAN-03] with scripts, keys move among the orders, select and open them, and can be switched off", async () => {
    if (!withScripts) return;
    const page = await state.open();
    await logIn(page);
    const script = page.waitForResponse((response) => /after-load/.test(response.url()));
    await page.goto("/home/certificate-queue");
    await script;
    await page.locator("html.ready").waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const keys = page.locator("#queue-keys");
    // Until the script has started, `?` does nothing.
    await expect.poll(() => page.keyboard.press("?").then(() => keys.getAttribute("open"))).toBe("");
    expect(await focused()).toBe("Keys");
    for (const [key, host] of [
      ["j", "two"],
      ["j", "three"],
      ["j", "four"],
      ["j", "four"],
      ["k", "three"],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(`${host}.walk.example.com`);
    }
    for (const key of ["k", "?", "j"]) await page.keyboard.press(key); // the help keeps the row
    expect(await focused()).toBe("three.walk.example.com");
    await page.keyboard.press("?");
    expect(await focused()).toBe("Keys");
    await page.keyboard.press("Enter"); // closes the help
    await expect.poll(focused).toBe("three.walk.example.com");
    await page.keyboard.press("?");
    await page.keyboard.press("x");
    expect(await selection(page, "three.walk.example.com").isChecked()).toBe(true);
    await page.keyboard.press("x");
    expect(await selection(page, "three.walk.example.com").isChecked()).toBe(false);
    await page.keyboard.press("o");
    await page.getByText("Order 2 of 3").waitFor();
    await page.keyboard.press("j");
    await page.getByText("Order 3 of 3").waitFor();
    await page.keyboard.press("k");
    await page.getByText("Order 2 of 3").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("j opens the next order").waitFor();
    await page.keyboard.press("j"); // meant for the dialog
    await press(page, "Close");
    await page.getByText("Order 2 of 3").waitFor();
    await page.locator('[name="comment"]').focus();
    await page.keyboard.type("jk?");
    expect(await page.locator('[name="comment"]').inputValue()).toBe("jk?");
    await page.goto("/home/certificate-queue");
    await page.locator("html.ready").waitFor();
    await keys.locator("summary").click();
    await page.getByRole("checkbox", { name: /^Single keys work in this browser/ }).uncheck();
    await keys.locator("summary").focus();
    await page.keyboard.press("j");
    expect(await focused()).not.toMatch(/^two/);
  });
});
