import { createReadStream } from "node:fs";
import { type Download, type Locator, type Page } from "playwright";
import { describe, expect, test, vi } from "vitest";
import { openssl, useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import {
  approve,
  authorise,
  CN,
  COMPANY_DETAILS,
  CONTACT,
  fill,
  heading,
  logIn,
  registrationOf,
} from "./support/journey";

const state = useBrowser();
const files = useOpenssl();

const NEWCOMER = {
  email: "nora.neu@example-parts.com",
  password: "correct horse battery",
  company: "Example Parts GmbH",
};

/** The fields with the company's own data, which the specification requires. Nobody else could fill them in. */
const OF_COMPANY = ["company", ...Object.keys(COMPANY_DETAILS)];

/**
 * What a newcomer does, counted. A click is each press of a link, a button or a tick box on the portal's pages. A link that is opened in a
 * message is counted apart, because it is an act in the mail program. A field is each one that is filled in or chosen, without those of the
 * company's own data, which are counted apart, too.
 */
function counting() {
  const counted = { clicks: 0, fields: 0, companyFields: 0, openedLinks: 0 };
  const click = async (target: Locator) => {
    counted.clicks += 1;
    await target.click();
  };
  const type = async (page: Page, values: Record<string, string>) => {
    for (const name of Object.keys(values)) counted[OF_COMPANY.includes(name) ? "companyFields" : "fields"] += 1;
    await fill(page, values);
  };
  /** Opens the message with this subject in a window of its own, and follows the link with this caption. */
  const follow = async (page: Page, subject: string, caption: string | RegExp) => {
    const html = await vi.waitFor(
      async () => {
        const mails = (await state.portal.mails()).filter(({ to }) => to?.[0]?.address === NEWCOMER.email);
        const found = mails.find((mail) => mail.subject?.includes(subject))?.html;
        if (!found) throw new Error(`There is no message about '${subject}'.`);
        return found;
      },
      { timeout: 60_000, interval: 200 },
    );
    const message = await page.context().newPage();
    await message.setContent(html);
    counted.openedLinks += 1;
    await message.getByRole("link", { name: caption }).click();
    return message;
  };
  return { counted, click, type, follow };
}

const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const contentOf = async (download: Download): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(await download.path())) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

describe(`a newcomer's walk from the start page to the file, counted, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[PUR-01] [CER-07] [MAI-01] takes at most nine clicks on the portal's pages and sixteen fields", async () => {
    const { counted, click, type, follow } = counting();
    const start = await state.open();
    await start.goto("/");
    await click(link(start, "Register a new account"));
    await heading(start, "Registration");
    await type(start, registrationOf(NEWCOMER));
    await click(button(start, "Register"));
    await heading(start, "Company Registration");
    await type(start, COMPANY_DETAILS);
    await click(button(start, "Continue"));
    await heading(start, /^Welcome, /);

    const page = await follow(start, "onfirm your email", "Confirm email address");
    await heading(page, "Confirm your email address");
    await click(button(page, "Confirm email address"));
    await page.getByText("Your email address is confirmed.").waitFor();
    await heading(page, "Purchase Certificate");
    const { name, position, email, phoneNumber } = CONTACT;
    await type(page, { name, position, email, phoneNumber });
    await click(button(page, "Confirm"));

    await heading(page, "Purchase Certificate: order");
    if (withScripts) {
      await type(page, { host: CN });
      await click(button(page, "Make key and CSR"));
    } else {
      const { pem } = files.makeCsr({ subject: `/C=DE/L=Köln/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] });
      await type(page, { csr: pem });
      await click(button(page, "Import"));
    }
    await page.locator("#csr-details").getByText(CN).first().waitFor({ timeout: 60_000 });
    await type(page, { purchaseOrderNumber: "PO-88213" });
    await click(page.getByRole("checkbox", { name: /^I agree to the/ }));
    await click(button(page, "Next"));
    await heading(page, "Purchase Certificate: invoice address");
    await click(button(page, "Complete Order"));
    await heading(page, "Order complete");
    const order = (await page.locator("main").innerText()).match(/SO-\d+/)?.[0] ?? "";

    await authorise(await state.open(), state.portal, order);
    const staff = await state.open();
    await logIn(staff);
    await approve(staff, order);

    const downloading = new Promise<Download>((resolve) =>
      page.context().on("page", (opened) => opened.on("download", resolve)),
    );
    await follow(page, "has been issued", "Full chain, PEM");
    const chain = files.file("pem", await contentOf(await downloading));
    expect(openssl(["x509", "-noout", "-subject", "-in", chain])).toContain(CN);
    expect(counted).toEqual({ clicks: 9, fields: 16, companyFields: 7, openedLinks: 2 });
  });
});
