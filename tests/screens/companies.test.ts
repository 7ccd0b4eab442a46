import { join } from "node:path";
import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { latestEnd } from "~/domain/api-clients/forms";
import { typedDay } from "~/lib/typed-dates";
import { SQLite } from "~db/sqlite.server";
import { useBrowser } from "../e2e/support/browser";
import { CUSTOMER, fill, heading, linkFor, press } from "../e2e/support/journey";
import { registered } from "./support/people";
import { checkScreens, refused, type Screens } from "./support/screens";

const OTHER_COMPANY = "W".repeat(120);

const state = useBrowser();
let customer: Page;
/** The address of the customer's page as a member. */
let ownPage: string;
/** The address of the invitation. */
let invited: string;

beforeAll(async () => {
  customer = await registered(state);
});

/** Makes the customer a reader of another company with a long name. It has a number, because empty companies are not offered. */
function joinAnother(): void {
  const database = new SQLite(join(state.portal.dataDir, "marque.sqlite"));
  const now = new Date().toISOString();
  database
    .prepare(
      "insert into companies (name, company_registration_number, created_at, updated_at) values (?, 'HRB 2', ?, ?)",
    )
    .run(OTHER_COMPANY, now, now);
  database
    .prepare(
      `insert into memberships (company_id, user_id, role, joined_at)
       select (select max(id) from companies), id, 'reader', created_at from users where email = ?`,
    )
    .run(CUSTOMER.email);
  database.close();
}

/** The screens of a company and its members. */
const screens: Screens = {
  "your company": async () => {
    await customer.goto("/home/company");
    await fill(customer, { email: "colleague@example-parts.com", role: "Technical" });
    await press(customer, "Invite");
    await customer.getByText("The invitation is on its way").waitFor();
    return customer;
  },
  "your company, an invitation refused": async () => {
    await fill(customer, { email: "nobody" });
    return refused(customer, "Invite");
  },
  "a member of the company": async () => {
    await customer.goto("/home/company");
    await customer.getByRole("link", { name: /^Change/ }).click();
    await customer.waitForURL(/\/home\/company\/\d+/); // the page before has the same words
    await customer.getByText("You are the only member.").waitFor();
    ownPage = customer.url();
    return customer;
  },
  "new API client": async () => {
    await customer.goto("/home/company/api-clients/new");
    await heading(customer, "New API client");
    return customer;
  },
  "new API client, refused": async () => {
    await fill(customer, { name: "Certificate store, Cologne", networks: "192.0.2.0/24\n2001:db8::/32" });
    return refused(customer, "Make the client");
  },
  "the secret of an API client": async () => {
    await customer.getByLabel("certificates:read").check();
    await fill(customer, { lastDay: typedDay(latestEnd().replace(/-\d\d$/, "-01")) });
    await press(customer, "Make the client");
    await heading(customer, "The secret of the API client");
    return customer;
  },
  "an API client": async () => {
    await customer.getByRole("link", { name: "I have stored the secret" }).click();
    await heading(customer, "Certificate store, Cologne");
    return customer;
  },
  "an API client, to be revoked": async () => {
    await press(customer, "Revoke the client");
    await customer
      .getByText(/^Are you sure you wish to revoke/)
      .first()
      .waitFor();
    return customer;
  },
  "API clients": async () => {
    await customer.goto("/home/company/api-clients");
    await heading(customer, "API clients");
    return customer;
  },
  "new webhook, refused": async () => {
    await customer.goto("/home/company/webhooks/new");
    await fill(customer, { url: "https://127.0.0.1/hook" });
    await customer.getByLabel("certificate.issued").check();
    return refused(customer, "Make the webhook");
  },
  "the secret of a webhook": async () => {
    await fill(customer, { url: "https://8.8.8.8/hooks/certificates-of-our-plant-in-cologne", description: "Cologne" });
    await press(customer, "Make the webhook");
    await heading(customer, "The secret of the webhook");
    return customer;
  },
  "a webhook": async () => {
    await customer.getByRole("link", { name: "I have stored the secret" }).click();
    await heading(customer, "Webhook to 8.8.8.8");
    return customer;
  },
  "a webhook, to be removed": async () => {
    await press(customer, "Remove the webhook");
    await customer
      .getByText(/^Are you sure you wish to remove/)
      .first()
      .waitFor();
    return customer;
  },
  webhooks: async () => {
    await customer.goto("/home/company/webhooks");
    await heading(customer, "Webhooks");
    return customer;
  },
  "domains, one refused": async () => {
    await customer.goto("/home/company/domains");
    await fill(customer, { domain: "co.uk" });
    return refused(customer, "Add");
  },
  "a domain": async () => {
    await fill(customer, { domain: "bücher-und-teile-fuer-fahrzeuge.example.com" });
    await press(customer, "Add");
    await customer.getByText("It counts when it is confirmed.").waitFor();
    return customer;
  },
  "a domain, to be removed": async () => {
    await press(customer, "Remove");
    await customer
      .getByText(/^Are you sure you wish to remove/)
      .first()
      .waitFor();
    return customer;
  },
  domains: async () => {
    await customer.goto("/home/company/domains");
    await heading(customer, "Domains");
    return customer;
  },
  "the page behind a mailed link": async () => {
    await fill(customer, { domain: "it@example-parts.com" });
    await press(customer, "Add");
    await press(customer, "Send a link");
    await customer.getByText("is on its way to").first().waitFor();
    const guest = await state.open();
    await guest.goto(await linkFor(state.portal, "it@example-parts.com", "/confirm-domain/"));
    await heading(guest, "Does this mailbox belong to the company?");
    return guest;
  },
  "a mailed link, used": async () => {
    const guest = await state.open();
    await guest.goto("/confirm-domain/none");
    return guest;
  },
  invitation: async () => {
    invited = await linkFor(state.portal, "colleague@example-parts.com", "/invitation/");
    const guest = await state.open();
    await guest.goto(invited);
    return guest;
  },
  "invitation, for somebody else": async () => {
    await customer.goto(invited);
    return customer;
  },
  "registration of somebody who was invited": async () => {
    const guest = await state.open();
    await guest.goto(invited.replace("/invitation/", "/register?invitation="));
    return guest;
  },
  "dashboard of somebody with two companies": async () => {
    joinAnother();
    await customer.goto("/home/dashboard");
    await customer.getByRole("button", { name: "Switch" }).waitFor();
    return customer;
  },
  // The only owner of a company cannot leave it, so the customer leaves the company where others are owners.
  "a member of the company, to be confirmed": async () => {
    await fill(customer, { company: OTHER_COMPANY });
    await press(customer, "Switch");
    await customer.getByText(`You work for ${OTHER_COMPANY} now.`).waitFor();
    await customer.goto(ownPage);
    await press(customer, "Leave the company");
    await customer
      .getByText(/^Are you sure you wish to leave/)
      .first()
      .waitFor();
    return customer;
  },
};

checkScreens(screens);
