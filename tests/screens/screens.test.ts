import AxeBuilder from "@axe-core/playwright";
import { HtmlValidate } from "html-validate";
import { type Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import {
  approve,
  authorise,
  buy,
  CN,
  completeRegistration,
  CONTACT,
  CUSTOMER,
  fill,
  linkFor,
  logIn,
  press,
  register,
  selectCertificate,
  verifyEmail,
} from "../e2e/support/journey";
import { useOpenssl } from "../support/openssl";

const state = useBrowser();
const files = useOpenssl();

let customer: Page;
let admin: Page;
let visitor: Page;
let newcomer: Page;
let pendingOrder = "";

beforeAll(async () => {
  [customer, admin, visitor, newcomer] = await Promise.all([state.open(), state.open(), state.open(), state.open()]);
  await register(newcomer, { ...CUSTOMER, email: "newcomer@example-parts.com" });
  await register(customer, CUSTOMER);
  await completeRegistration(customer);
  await verifyEmail(customer, state.portal, CUSTOMER);
  const csr = () =>
    files.makeCsr({ subject: `/C=DE/L=Koeln/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`, "IP:192.0.2.1"] }).pem;
  const first = await buy(customer, csr());
  await authorise(await state.open(), state.portal);
  await logIn(admin);
  await approve(admin, first);
  pendingOrder = await buy(customer, csr());
});

const go = (page: () => Page, path: string) => async () => {
  await page().goto(path);
  return page();
};

const inWizard = (steps: (page: Page) => Promise<unknown>) => async () => {
  await customer.goto("/home/certificate/purchase/contact-details");
  await steps(customer);
  return customer;
};

const idOf = async (page: Page, text: string, list = "/home/certificates") => {
  await page.goto(list);
  return (await page.getByRole("row").filter({ hasText: text }).getByRole("link").first().getAttribute("href")) ?? "";
};

/** Every screen, and those that show errors: how to get there. */
const screens: Record<string, () => Promise<Page>> = {
  "log in": go(() => visitor, "/"),
  "log in, refused": async () => {
    await visitor.goto("/login");
    await press(visitor, "Login");
    await visitor.getByText("There is a problem").waitFor();
    return visitor;
  },
  registration: go(() => visitor, "/register"),
  "registration, refused": async () => {
    await visitor.goto("/register");
    await press(visitor, "Register");
    await visitor.getByText("There is a problem").waitFor();
    return visitor;
  },
  "complete registration": go(() => newcomer, "/complete-registration"),
  "complete registration, refused": async () => {
    await newcomer.goto("/complete-registration");
    await fill(newcomer, { useCompanyAddress: false });
    await press(newcomer, "Continue");
    await newcomer.getByText("There is a problem").waitFor();
    return newcomer;
  },
  "confirm e-mail": async () => {
    await visitor.goto(await linkFor(state.portal, "newcomer@example-parts.com", "/verify-email/"));
    return visitor;
  },
  "confirm e-mail, used link": go(() => visitor, "/verify-email/none"),
  "authorise order, used link": go(() => visitor, "/authorise-order/none"),
  repository: go(() => visitor, "/certificate-repository"),
  "page not found": go(() => visitor, "/nowhere"),
  "page not found, signed in": go(() => customer, "/home/nowhere"),
  dashboard: go(() => customer, "/home/dashboard"),
  "dashboard of staff": go(() => admin, "/home/dashboard"),
  certificates: go(() => customer, "/home/certificates"),
  "certificates, nothing found": go(() => customer, "/home/certificates?search=nothing"),
  "certificates, a row chosen": async () => {
    await customer.goto("/home/certificates");
    await selectCertificate(customer, "Issued");
    return customer;
  },
  "all certificates": go(() => admin, "/home/certificates"),
  "details of an issued certificate": async () => {
    await customer.goto(await idOf(customer, "Issued"));
    return customer;
  },
  "details of a pending order": async () => {
    await customer.goto(await idOf(customer, "Pending"));
    return customer;
  },
  download: async () => {
    await customer.goto("/home/certificates");
    await selectCertificate(customer, "Issued");
    await press(customer, "Download");
    await customer.getByRole("heading", { name: "Download Certificate" }).waitFor();
    return customer;
  },
  revoke: async () => {
    await customer.goto("/home/certificates");
    await selectCertificate(customer, "Issued");
    await press(customer, "Revoke");
    await customer.getByRole("heading", { name: "Revoke Certificate" }).waitFor();
    return customer;
  },
  "revoke, to be confirmed": async () => {
    const page = await (screens.revoke as () => Promise<Page>)();
    await fill(page, { revocationReason: "Superseded" });
    await press(page, "Revoke Certificate");
    await page.getByText("This process cannot be reversed.").first().waitFor();
    return page;
  },
  "repository, signed in": go(() => customer, "/home/certificate-repository"),
  "purchase, contact details": inWizard((page) => page.getByText("Authentication Contact Details").first().waitFor()),
  "purchase, contact details refused": inWizard(async (page) => {
    await press(page, "Confirm");
    await page.getByText("There is a problem").waitFor();
  }),
  "purchase, order": inWizard(async (page) => {
    await fill(page, CONTACT);
    await press(page, "Confirm");
    await page.getByRole("heading", { name: "Purchase Certificate: order" }).waitFor();
  }),
  "purchase, order refused": async () => {
    const page = await (screens["purchase, order"] as () => Promise<Page>)();
    await fill(page, { showUsageAttributes: true });
    await press(page, "Next");
    await page.getByText("There is a problem").waitFor();
    return page;
  },
  "purchase, order imported": async () => {
    const page = await (screens["purchase, order"] as () => Promise<Page>)();
    await fill(page, {
      csr: files.makeCsr({ subject: `/C=DE/L=Koeln/O=Example Parts GmbH/CN=${CN}` }).pem,
      purchaseOrderNumber: "PO-1",
    });
    await press(page, "Import");
    await page.getByText(CN).first().waitFor();
    return page;
  },
  "purchase, invoice address": async () => {
    const page = await (screens["purchase, order imported"] as () => Promise<Page>)();
    await fill(page, { termsAndConditionsAccepted: true });
    await press(page, "Next");
    await page.getByRole("heading", { name: "Purchase Certificate: invoice address" }).waitFor();
    return page;
  },
  "purchase, order complete": async () => {
    const page = await (screens["purchase, invoice address"] as () => Promise<Page>)();
    await press(page, "Complete Order");
    await page.getByRole("heading", { name: "Order complete" }).waitFor();
    return page;
  },
  queue: go(() => admin, "/home/certificate-queue"),
  "order in the queue": async () => {
    await admin.goto(await idOf(admin, pendingOrder, "/home/certificate-queue"));
    return admin;
  },
};

const validator = new HtmlValidate({ extends: ["html-validate:standard"], rules: { "no-inline-style": "off" } }); // the probes set some
const SHOTS = process.env.SCREENSHOTS;

describe.each(Object.keys(screens))("%s", (name) => {
  test("[GEN-04] no accessibility violation in light and dark, wide and narrow; no sideways scrolling; valid HTML", async () => {
    const page = await (screens[name] as () => Promise<Page>)();
    const found: unknown[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const { violations } = await new AxeBuilder({ page })
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
          .analyze();
        for (const { id, nodes } of violations)
          found.push({ colorScheme, width, id, nodes: nodes.map((node) => node.html.slice(0, 200)) });
        if (SHOTS)
          await page.screenshot({
            path: `${SHOTS}/${name.replace(/\W+/g, "-")}-${colorScheme}-${width}.png`,
            fullPage: true,
          });
      }
    }
    expect(found).toEqual([]);

    await page.setViewportSize({ width: 320, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 1280, height: 900 });

    const report = await validator.validateString(await page.content());
    expect(
      report.results.flatMap((result) =>
        result.messages.map(({ ruleId, message, selector }) => ({ ruleId, message, selector })),
      ),
    ).toEqual([]);
  });
});
