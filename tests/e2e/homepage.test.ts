import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { fill, heading, logIn, logOut, press } from "./support/journey";
import { PARTNER_SECRET, usePartner } from "./support/partner";
import { ADMIN } from "./support/running-portal";

const { partner, env } = usePartner();
const state = useBrowser(env);

const toast = (page: Page, text: string) => page.locator(".toast", { hasText: text });

const saveBanner = async (page: Page) => {
  await page.goto("/home/manage");
  await fill(page, {
    banner: `${partner.origin()}/banner.png?v=1`,
    link: `${partner.origin()}/conference`,
    tooltip: "Conference 2026",
  });
  await press(page, "Update");
  await heading(page, /^Welcome/);
};

describe(`homepage and framed forms, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[MAN-01] [PUB-03] an administrator sets the banner, everybody sees it on the login screen, and it is removed again", async () => {
    const page = await state.open();
    await logIn(page);
    await page.getByRole("link", { name: "Manage Secure" }).click();
    await heading(page, "Manage Homepage");
    await fill(page, { banner: "www.example.org/banner.png", link: `${partner.origin()}/conference` });
    await press(page, "Update");
    await page.getByText("There is a problem").waitFor();
    expect(await page.locator(".err").allInnerTexts()).toEqual([
      expect.stringContaining("Valid URL starting with 'http://' or 'https://' is required."),
      expect.stringContaining("This field is required."),
    ]);
    expect(await page.locator('[name="link"]').inputValue()).toBe(`${partner.origin()}/conference`);

    await saveBanner(page);
    await toast(page, "Settings successfully updated.").waitFor();
    await logOut(page);
    const image = page.getByRole("img", { name: "Conference 2026" });
    await image.scrollIntoViewIfNeeded();
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
    const box = await image.boundingBox();
    expect([box?.width, box?.height]).toEqual([450, 200]);
    await image.click();
    await page.getByRole("heading", { name: "Partner form" }).waitFor();
    expect(partner.asked.filter(({ headers }) => headers.referer)).toEqual([]);

    await logIn(page);
    await page.goto("/home/manage");
    await press(page, "Remove banner");
    await page.getByText("Are you sure you wish to remove the banner from the login screen?").waitFor();
    await page.getByRole("button", { name: "Remove banner" }).last().click();
    await heading(page, /^Welcome/);
    await logOut(page);
    expect(await page.getByRole("img", { name: "Conference 2026" }).count()).toBe(0);
  });

  test("[DSH-04] a message stays for 10 seconds with scripts, longer under pointer and focus and over a change of page; without scripts it stays", async () => {
    const page = await state.open();
    await logIn(page);
    await saveBanner(page);
    const message = toast(page, "Settings successfully updated.");
    await message.waitFor();
    const animation = () =>
      message.evaluate((element) => {
        const [one] = element.getAnimations();
        return one ? { delay: one.effect?.getTiming().delay, state: one.playState } : null;
      });
    const skipTo = (time: number) =>
      message.evaluate((element, at) => {
        const [one] = element.getAnimations();
        if (one) one.currentTime = at;
      }, time);

    if (!withScripts) {
      expect(await animation()).toBeNull();
      expect(await page.getByRole("button", { name: "Close message" }).count()).toBe(0);
      await page.goto("/home/certificates");
      expect(await message.count()).toBe(0);
      return;
    }
    expect(await animation()).toEqual({ delay: 10_000, state: "running" });
    await message.hover();
    expect(await animation()).toEqual({ delay: 10_000, state: "paused" });
    await page.mouse.move(0, 0);
    expect(await animation()).toEqual({ delay: 10_000, state: "running" });
    await page.getByRole("button", { name: "Close message" }).focus();
    expect(await animation()).toEqual({ delay: 10_000, state: "paused" });
    await page.getByRole("link", { name: "Certificates", exact: true }).first().click();
    await heading(page, "Certificates");
    expect(await message.isVisible()).toBe(true);
    await skipTo(9900);
    await message.waitFor({ state: "detached" });

    await saveBanner(page);
    await press(page, "Close message");
    await message.waitFor({ state: "detached" });
  });

  test("[FRM-01] [FRM-02] a framed form posts the token to the partner's login first, then shows the form, and leaks nothing", async () => {
    const page = await state.open();
    partner.asked.length = 0;
    // With scripts, the login continues in the same document, whose policy does not allow the frame. The page must therefore be loaded
    // again.
    const address = "/home/frame/odette/forms%2Fapply/%7B%22a%22%3A1%7D?code=AB12";
    await page.goto(address);
    await fill(page, ADMIN);
    await press(page, "Login");
    await heading(page, "External form");
    const frame = page.frameLocator("iframe[title^='Form of 127.0.0.1']");
    if (!withScripts) {
      await page.getByRole("button", { name: /^Log in to 127\.0\.0\.1/ }).click();
      await frame.getByRole("heading", { name: "Logged in" }).waitFor();
      await page.getByRole("link", { name: "Open the form", exact: true }).click();
    }
    await frame.getByRole("heading", { name: "Partner form" }).waitFor();
    expect(await page.getByRole("button", { name: /^Log in to/ }).count()).toBe(withScripts ? 0 : 1);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);

    const ofBrowser = partner.asked.filter(({ method, path }) => method !== "HEAD" && !path.startsWith("/banner.png"));
    const [login, form, ...more] = ofBrowser;
    expect([login?.method, login?.path, form?.method, form?.path, more]).toEqual([
      "POST",
      "/remote-login",
      "GET",
      "/forms/apply?json=%7B%22a%22%3A1%7D",
      [],
    ]);
    for (const { headers } of [login, form].filter((asked) => asked !== undefined)) {
      expect(headers.referer).toBeUndefined();
      expect(headers.cookie ?? "").not.toContain("marque");
    }
    const token = new URLSearchParams(login?.body).get("token") ?? "";
    expect([...new URLSearchParams(login?.body).keys()]).toEqual(["token"]);
    const answer = await fetch(`${state.portal.origin}/partner/verify-token`, {
      method: "POST",
      body: new URLSearchParams({ token }),
      headers: { Authorization: `Bearer ${PARTNER_SECRET}` },
    });
    expect(await answer.json()).toMatchObject({ success: true, username: ADMIN.email });
  });

  test("[FRM-01] the name of any other site opens the form of the other service", async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/frame/orders/list");
    const frame = page.frameLocator("iframe[title^='Form of localhost']");
    if (!withScripts) await page.getByRole("link", { name: "Open the form", exact: true }).click();
    await frame.getByRole("heading", { name: "Partner form" }).waitFor();
    expect(partner.asked.at(-1)?.path).toBe("/codes/list");
  });
});
