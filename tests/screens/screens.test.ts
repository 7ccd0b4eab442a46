import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import SQLite from "better-sqlite3";
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
  logOut,
  press,
  register,
  selectCertificate,
  verifyEmail,
} from "../e2e/support/journey";
import { importTwo, SHARED_PASSWORD } from "../e2e/support/imported";
import { usePartner } from "../e2e/support/partner";
import { ADMIN } from "../e2e/support/running-portal";
import { useOpenssl } from "../support/openssl";

const { partner, env } = usePartner();
const state = useBrowser(env);
const files = useOpenssl();

let customer: Page;
let admin: Page;
let visitor: Page;
let newcomer: Page;
let several: Page;
let pendingOrder = "";

beforeAll(async () => {
  [customer, admin, visitor, newcomer] = await Promise.all([state.open(), state.open(), state.open(), state.open()]);
  several = await state.open();
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

/** A visitor who asked for a reset code. Out: the link of the message. */
const forgotten = async (email: string) => {
  await visitor.goto("/forgot-password");
  await fill(visitor, { email });
  await press(visitor, "Continue");
  await visitor.getByText("If there is an account for").waitFor();
  return linkFor(state.portal, email, "/reset-code/");
};

/** A newer code replaces an older one, so it is asked for once. */
let adminsLink: Promise<string> | undefined;
let permitted: Promise<Page> | undefined;
/** A visitor whose reset code was right: it can be used once, the permit that follows stays. */
const mayChangePassword = () =>
  (permitted ??= (screens["reset code, no question"] as () => Promise<Page>)().then(async (page) => {
    await press(page, "Continue");
    await page.getByRole("heading", { name: "Change password" }).waitFor();
    return page;
  }));

/** Changes accounts as time or an administrator does. */
const changeAccount = (change: string, email: string) => {
  const database = new SQLite(join(state.portal.dataDir, "marque.sqlite"));
  database.prepare(`update users set ${change} where email = ?`).run(email);
  database.close();
};
const changeNewcomer = (change: string) => changeAccount(change, "newcomer@example-parts.com");

/** The link that proves the e-mail of the accounts that share one. */
const severalsLink = async () => {
  await press(several, "Send the link");
  return linkFor(state.portal, "berta@example-parts.com", "/verify-email/");
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
  "forgot password": go(() => visitor, "/forgot-password"),
  "forgot password, refused": async () => {
    await visitor.goto("/forgot-password");
    await press(visitor, "Continue");
    await visitor.getByText("There is a problem").waitFor();
    return visitor;
  },
  "reset code": async () => {
    await forgotten(CUSTOMER.email);
    return visitor;
  },
  "reset code, refused": async () => {
    await visitor.goto("/reset-code/none/unknown@example-parts.com");
    await fill(visitor, { securityAnswer: "Rex" });
    await press(visitor, "Continue");
    await visitor.getByText("The reset code is not valid or it has expired.").waitFor();
    return visitor;
  },
  "reset code, no question": async () => {
    await visitor.goto(await (adminsLink ??= forgotten(ADMIN.email)));
    await visitor.getByText("No security question is stored").waitFor();
    return visitor;
  },
  "change password": async () => {
    const page = await mayChangePassword();
    await page.goto("/change-password");
    return page;
  },
  "change password, refused": async () => {
    const page = await (screens["change password"] as () => Promise<Page>)();
    await press(page, "Change password");
    await page.getByText("There is a problem").waitFor();
    return page;
  },
  "complete registration": go(() => newcomer, "/complete-registration"),
  "complete registration, refused": async () => {
    await newcomer.goto("/complete-registration");
    await fill(newcomer, { useCompanyAddress: false });
    await press(newcomer, "Continue");
    await newcomer.getByText("There is a problem").waitFor();
    return newcomer;
  },
  "password about to expire": async () => {
    changeNewcomer(`password_changed_at = '${new Date(Date.now() - 360 * 86_400_000).toISOString()}'`);
    await newcomer.goto("/password-expiry");
    await newcomer.getByText("Your password is about to expire").waitFor();
    return newcomer;
  },
  "password expired": async () => {
    changeNewcomer("must_change_password = 1");
    await newcomer.goto("/password-expiry");
    await newcomer.getByText("Your password has expired").waitFor();
    return newcomer;
  },
  "consolidate users, e-mail not confirmed": async () => {
    const email = await importTwo(state.portal, "berta", { withPassword: true });
    await several.goto("/login");
    await fill(several, { email, password: SHARED_PASSWORD });
    await press(several, "Login");
    await several.getByText("Please confirm your e-mail address first.").waitFor();
    return several;
  },
  "consolidate users": async () => {
    await several.goto(await severalsLink());
    await press(several, "Confirm e-mail address");
    await several.getByText("Where the accounts differ, choose what is kept.").waitFor();
    return several;
  },
  "consolidate users, new password refused": async () => {
    changeAccount("must_change_password = 1", "berta@example-parts.com");
    await logOut(several);
    await fill(several, { email: "berta@example-parts.com", password: SHARED_PASSWORD });
    await press(several, "Login");
    await several.getByText("Your password has expired.").waitFor();
    await press(several, "Merge accounts");
    await several.getByText("There is a problem").waitFor();
    return several;
  },
  "user details": go(() => customer, "/home/user-management"),
  "user details, refused": async () => {
    await customer.goto("/home/user-management");
    await fill(customer, { useCompanyAddress: false, position: "", securityAnswer: "x" });
    await press(customer, "Save");
    await customer.getByText("There is a problem").waitFor();
    return customer;
  },
  "user details of staff": go(() => admin, "/home/user-management"),
  "registration, e-mail known": async () => {
    const page = await state.open();
    await page.goto("/register");
    await fill(page, {
      firstName: "Anna",
      lastName: "Müller",
      company: "Example",
      position: "EDI",
      telephoneNumber: "+49 1",
      email: CUSTOMER.email,
      confirmEmail: CUSTOMER.email,
      password: CUSTOMER.password,
      confirmPassword: CUSTOMER.password,
      securityQuestion: "What was the name of your first pet?",
      securityAnswer: "Bello",
    });
    await press(page, "Register");
    await page.getByText("You have an account already.").waitFor();
    return page;
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
  users: go(() => admin, "/home/users"),
  "users, nothing found": go(() => admin, "/home/users?search=nothing&state=locked"),
  "account of a user": async () => {
    await admin.goto(await idOf(admin, CUSTOMER.email, "/home/users"));
    return admin;
  },
  "account of a user, refused": async () => {
    const page = await (screens["account of a user"] as () => Promise<Page>)();
    await press(page, "Disable Account");
    await page.getByText("There is a problem").waitFor();
    return page;
  },
  "account of a user, to be disabled": async () => {
    const page = await (screens["account of a user"] as () => Promise<Page>)();
    await fill(page, { reason: "Left the company" });
    await press(page, "Disable Account");
    await page.getByText("Are you sure you wish to disable this account?").first().waitFor();
    return page;
  },
  "log in as user, dead link": go(() => admin, "/login-as-user/999999/none"),
  "log in as user, waiting": async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto(await idOf(page, CUSTOMER.email, "/home/users"));
    // What the page sends by itself is held back, so that it can be seen.
    await page.route("**/login-as-user/**", (route) => (route.request().method() === "GET" ? route.continue() : null));
    await press(page, "Log in as User");
    await page.getByText("Please wait while log in completes").waitFor();
    return page;
  },
  "acting as a user": async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto(await idOf(page, CUSTOMER.email, "/home/users"));
    await press(page, "Log in as User");
    await page.getByRole("heading", { name: "Welcome, Anna" }).waitFor();
    return page;
  },
  "manage homepage": go(() => admin, "/home/manage"),
  "manage homepage, refused": async () => {
    await admin.goto("/home/manage");
    await fill(admin, { banner: "www.example.org" });
    await press(admin, "Update");
    await admin.getByText("There is a problem").waitFor();
    return admin;
  },
  "dashboard with a message": async () => {
    await admin.goto("/home/manage");
    const [banner, link] = [`${partner.origin()}/banner.png`, partner.origin()];
    await fill(admin, { banner, link, tooltip: "Conference 2026: meet us" });
    await press(admin, "Update");
    await admin.getByText("Settings successfully updated.").waitFor();
    return admin;
  },
  "log in, with a banner": go(() => visitor, "/"),
  "manage homepage, with a banner": go(() => admin, "/home/manage"),
  "manage homepage, banner to be removed": async () => {
    await admin.goto("/home/manage");
    await press(admin, "Remove banner");
    await admin.getByText("Are you sure you wish to remove the banner").waitFor();
    return admin;
  },
  "framed form": async () => {
    await customer.goto("/home/frame/odette/forms");
    await customer.frameLocator("iframe").getByRole("heading", { name: "Partner form" }).waitFor();
    return customer;
  },
  "framed form, refused": go(() => customer, "/home/frame/odette/..%2Fx"),
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
