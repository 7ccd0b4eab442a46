import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { giveCodes } from "../e2e/support/codes";
import { CUSTOMER, fill, heading, press } from "../e2e/support/journey";
import { administrator, registered } from "./support/people";
import { checkScreens, go, refused, type Screens } from "./support/screens";

const state = useBrowser();
let customer: Page;
let admin: Page;
let code = "";

const details = "/home/codes/code-details";

const registering = async () => {
  await customer.goto(`${details}?type=Basic`);
  await heading(customer, "Register Entity");
  return customer;
};
const addingContact = async () => {
  const page = await registering();
  await press(page, "Add New Contact");
  await heading(page, "Contact Details");
  return page;
};
const withContact = async () => {
  const page = await addingContact();
  await fill(page, { contactType: "IT", firstName: "Ida", lastName: "Berg", emailAddress: "ida@example-parts.com" });
  await press(page, "Save");
  await heading(page, "Register Entity");
  return page;
};

beforeAll(async () => {
  admin = await administrator(state);
  customer = await registered(state);
  await giveCodes(state.portal, CUSTOMER.email, "Basic", 2);
  const page = await withContact();
  await fill(page, { entityName: "Plant Nord" });
  await press(page, "Save");
  await page.getByText("has been successfully registered.").waitFor();
  code = new URL(page.url()).searchParams.get("code") ?? "";
});

const search = "/home/search-codes";

const entity = async () => {
  await customer.goto(`/home/entity-certificates/${code}`);
  await heading(customer, /^Certificates of/);
  return customer;
};

/** The screens of a code and of lists that contain it, for customers and staff. */
const screens: Screens = {
  "code list with a code": go(() => customer, "/home/codes"),
  "code list with a code, for staff": go(() => admin, "/home/codes"),
  "code list, registered codes only, nothing found": go(() => customer, "/home/codes?show=codes&search=zzz"),
  "code search": go(() => customer, search),
  "code search with results": go(() => customer, `${search}?company=example`),
  "code search without results": go(() => admin, `${search}?city=nowhere`),
  "code search refused": go(() => customer, `${search}?code=++++01`),
  "entities that the user follows, none": go(() => customer, "/home/entity-certificates"),
  "certificates of an entity, none": entity,
  "certificates of an entity, refused": async () => {
    const page = await entity();
    await fill(page, { others: "7" });
    return refused(page, "Publish in the register");
  },
  "certificates of an entity, followed": async () => {
    const page = await entity();
    await press(page, "Tell me when it changes");
    await page.getByText("You get a message when the certificates of this entity change.").waitFor();
    return page;
  },
  "entities that the user follows": go(() => customer, "/home/entity-certificates"),
  "audit log": async () => go(() => admin, `${details}/audit-log?code=${code}`)(),
  "audit log of no code": go(() => admin, `${details}/audit-log`),
  "register entity": registering,
  "register entity, addresses and other type": async () => {
    const page = await registering();
    await fill(page, { useCompanyAddress: false, usePhysicalAddress: false });
    await page.getByLabel("Other (please specify)").check();
    return page;
  },
  "register entity refused": async () => refused(await registering(), "Save"),
  "register entity, with a contact": withContact,
  "contact details": addingContact,
  "contact details refused": async () => refused(await addingContact(), "Save"),
  "register sub-entity": async () => go(() => customer, `${details}?parent=${code}`)(),
  "code details": async () => go(() => customer, `${details}?code=${code}`)(),
  "code details, for staff": async () => go(() => admin, `${details}?code=${code}`)(),
  "code status, to be confirmed": async () => {
    await customer.goto(`${details}?code=${code}`);
    await fill(customer, { status: "Cancelled" });
    await press(customer, "Update");
    await customer.getByText("This code will no longer be editable").first().waitFor();
    return customer;
  },
  "code details, only to be read": async () => {
    await admin.goto(`${details}?code=${code}`);
    if ((await admin.locator('[name="status"]').inputValue()) !== "Cancelled") {
      await fill(admin, { status: "Cancelled" });
      await press(admin, "Update");
      await admin.getByText("Details have been saved successfully").waitFor();
    }
    await customer.goto(`${details}?code=${code}`);
    return customer;
  },
};

checkScreens(screens);
