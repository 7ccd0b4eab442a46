import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { CUSTOMER, fill, heading, linkFor, press } from "../e2e/support/journey";
import { ADMIN } from "../e2e/support/running-portal";
import { useOpenssl } from "../support/openssl";
import { registered } from "./support/people";
import { checkScreens, go, refused, type Screens } from "./support/screens";

const state = useBrowser();
const { makeCsr } = useOpenssl();
let customer: Page;
let visitor: Page;

beforeAll(async () => {
  visitor = await state.open();
  customer = await registered(state);
});

/** Requests a reset code. Returns the link in the message. */
const forgotten = async (email: string) => {
  await visitor.goto("/forgot-password");
  await fill(visitor, { email });
  await press(visitor, "Continue");
  await visitor.getByText("If there is an account for").waitFor();
  return linkFor(state.portal, email, "/reset-code/");
};

/** The reset link. It is requested only once, because a newer code replaces an older one. */
let adminsLink: Promise<string> | undefined;
const withoutQuestion = async () => {
  await visitor.goto(await (adminsLink ??= forgotten(ADMIN.email)));
  await visitor.getByText("No security question is stored").waitFor();
  return visitor;
};

let permitted: Promise<Page> | undefined;
/** Opens the page on which the password can be changed. A code can be used only once, but the permit after it remains. */
const mayChangePassword = async () => {
  const page = await (permitted ??= withoutQuestion().then(async (page) => {
    await press(page, "Continue");
    await heading(page, "Change password");
    return page;
  }));
  await page.goto("/change-password");
  return page;
};

/** Checks a CSR before there is an order. */
const checked = async (csr: string) => {
  await visitor.goto("/check-csr");
  await fill(visitor, { csr });
  await press(visitor, "Check the CSR");
  await visitor.getByRole("heading", { name: "Result", exact: true }).waitFor();
  return visitor;
};

const PREPARED = "/prepare-csr?commonName=oftp.example.com&organisation=Example+Parts&country=GB&keySize=2048";

/** The screens of a visitor who is not logged in. */
const screens: Screens = {
  "log in": go(() => visitor, "/"),
  "log in, refused": async () => {
    await visitor.goto("/login");
    return refused(visitor, "Login");
  },
  "the JSON calls": go(() => visitor, "/api/docs"),
  registration: go(() => visitor, "/register"),
  "registration, refused": async () => {
    await visitor.goto("/register");
    return refused(visitor, "Register");
  },
  "registration, email known": async () => {
    await visitor.goto("/register");
    await fill(visitor, {
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
    await press(visitor, "Register");
    await visitor.getByText("You have an account already.").waitFor();
    return visitor;
  },
  "forgot password": go(() => visitor, "/forgot-password"),
  "forgot password, refused": async () => {
    await visitor.goto("/forgot-password");
    return refused(visitor, "Continue");
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
  "reset code, no question": withoutQuestion,
  "change password": mayChangePassword,
  "change password, refused": async () => refused(await mayChangePassword(), "Change password"),
  "confirm email, used link": go(() => visitor, "/verify-email/none"),
  "authorise order, used link": go(() => visitor, "/authorise-order/none"),
  "send nothing more, unknown link": go(() => visitor, "/no-more-messages/none"),
  "stop following, unknown link": go(() => visitor, "/stop-following/none"),
  "certificate of a partner, unknown link": go(() => visitor, "/new-certificate/none"),
  repository: go(() => visitor, "/certificate-repository"),
  "practice statement": go(() => visitor, "/certificate-repository/certification-practice-statement"),
  "check a CSR": go(() => visitor, "/check-csr"),
  "check a CSR, refused": async () => checked(makeCsr({ san: ["DNS:localhost", "DNS:srv.internal"] }).pem),
  "check a CSR, accepted": async () => checked(makeCsr({ subject: "/C=DE/O=Acme GmbH/CN=My Station" }).pem),
  "report a compromised key": go(() => visitor, "/report-key"),
  "report a compromised key, refused": async () => {
    await visitor.goto("/report-key");
    await fill(visitor, { csr: makeCsr().pem });
    return refused(visitor, "Check the proof");
  },
  status: go(() => visitor, "/status"),
  "rules for CSRs": go(() => visitor, "/csr-rules"),
  "prepare a CSR": go(() => visitor, "/prepare-csr"),
  "prepare a CSR, refused": go(() => visitor, "/prepare-csr?commonName=&dnsNames=not+a+name!"),
  "prepare a CSR, ways": async () => {
    await visitor.goto(PREPARED);
    await press(visitor, "Make key and CSR");
    await visitor.getByText("The passphrase must have at least 12 characters.").waitFor();
    return visitor;
  },
  "prepare a CSR, made": async () => {
    const page = await state.open();
    await page.goto(PREPARED);
    await page.getByLabel("Passphrase for the private key").fill("a passphrase for tests");
    await page.getByLabel("The same passphrase again").fill("a passphrase for tests");
    await press(page, "Make key and CSR");
    await page.getByRole("button", { name: "Save private key" }).waitFor({ timeout: 60_000 });
    // The key is saved, so that the page can be left.
    await press(page, "Save private key");
    // Otherwise a control could be half below the header.
    await page.evaluate(() => scrollTo(0, 0));
    return page;
  },
  "repository, signed in": go(() => customer, "/home/certificate-repository"),
  "page not found": go(() => visitor, "/nowhere"),
  "page not found, signed in": go(() => customer, "/home/nowhere"),
};

checkScreens(screens);
