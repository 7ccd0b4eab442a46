import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page } from "playwright";
import { afterAll, expect, test } from "vitest";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { AcmeClient, newClientKey } from "../support/acme-client";
import { App } from "../support/authenticator-app";
import { runCommand } from "../support/command";
import { useOpenssl } from "../support/openssl";
import { endSigners, signerIn, startSigner } from "../support/signer";
import { useBrowser, withScripts } from "./support/browser";
import { giveChecks, giveDomain } from "./support/codes";
import {
  buy,
  CN,
  completeRegistration,
  CUSTOMER,
  fill,
  heading,
  linkFor,
  logIn,
  press,
  register,
} from "./support/journey";
import { ADMIN, startPortal } from "./support/running-portal";
import { plugIn } from "./support/virtual-authenticator";

const folder = mkdtempSync(join(tmpdir(), "marque-signer-"));
const signer = signerIn(folder, { SIGNER_GRANTS: "required" });
const { makeCsr } = useOpenssl();

afterAll(async () => {
  await endSigners();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a portal whose keys are with a signer that asks for confirmations. */
async function startWithSigner(given: Record<string, string>) {
  const env = { ...given };
  const portal = await startPortal(env);
  await portal.stop();
  Object.assign(env, { SIGNER_DIR: signer.directory });
  const adopted = await portal.command(["signer", "adopt", "--operator", "Olga", "--yes"]);
  if (adopted.code !== 0) throw new Error(adopted.err);
  await startSigner({ ...signer.env, PUBLIC_URL: portal.origin });
  Object.assign(env, { SIGNER_SOCKET: signer.env.SIGNER_SOCKET, SIGNER_GRANTS: "required" });
  await portal.restart();
  return portal;
}

const state = useBrowser({}, startWithSigner);

const operator = (args: readonly string[], typed?: (printed: string) => string | null) =>
  runCommand(["signer", ...args, "--operator", "Olga"], signer.env, typed);

/** The domain of the customer. */
const DOMAIN = "example-parts.com";

/** A customer registers and orders a certificate that only has to be approved. Returns its id. */
async function readyOrder(customer: Page): Promise<number> {
  await register(customer, CUSTOMER);
  await completeRegistration(customer);
  await customer.goto(await linkFor(state.portal, CUSTOMER.email, "/verify-email/"));
  await press(customer, "Confirm email address");
  await buy(customer, makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] }).pem);
  return giveChecks(state.portal, CUSTOMER.email);
}

async function approveOrder(page: Page, id: number): Promise<void> {
  await page.goto(paths.certificateQueueOrder(id));
  await press(page, "Approve");
  await press(page, "Approve and issue");
  await heading(page, "Confirm to the signer");
}

/** Whose word the last line of the signer's journal rests on. */
const lastAuthority = () => signer.lines().at(-1)?.authority;

/** Gives the signer a factor of the administrator. Returns what confirms something with it, on a page that asks for it. */
type GiveFactor = (page: Page) => Promise<() => Promise<void>>;

const givePasskey: GiveFactor = async (page) => {
  await plugIn(page);
  await logIn(page);
  await page.goto("/second-factors");
  await press(page, "Add a passkey");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await page.goto(staffPaths.signer);
  await press(page, "Offer Passkey to the signer");
  const row = page.getByRole("row").filter({ hasText: "Waits for an operator" });
  const number = /([0-9a-f]{4}-){4}[0-9a-f]{4}/.exec(await row.innerText())?.[0] ?? "";
  expect(await operator(["accept", number, "--yes"])).toMatchObject({ code: 0, err: "" });
  return () => press(page, "Confirm with a passkey");
};

const giveApp: GiveFactor = async (page) => {
  await logIn(page);
  let app: App | undefined;
  const added = await operator(["add-app", "--person", ADMIN.email], (printed) => {
    const secret = /Secret: ([A-Z2-7 ]+)\n/.exec(printed)?.[1]?.replace(/ /g, "");
    if (secret === undefined || app) return null;
    app = new App(secret);
    return app.code();
  });
  expect(added).toMatchObject({ code: 0, err: "" });
  return async () => {
    await fill(page, { code: app?.code() ?? "" });
    await press(page, "Confirm with the code");
  };
};

/** An owner confirms a domain and asks for a standing authorisation. */
async function askForStanding(customer: Page): Promise<void> {
  await giveDomain(state.portal, CUSTOMER.email, DOMAIN);
  await customer.goto(`${accountPaths.standingAuthorisations}/new`);
  await fill(customer, { purchaseOrderNumber: "PO-1", ceilingCertificates: "2", termsAndConditionsAccepted: true });
  await press(customer, "Ask for it");
  await heading(customer, "Standing authorisation 1");
}

/** An owner makes an ACME key. Returns what the page shows once. */
async function makeAcmeKey(customer: Page) {
  await customer.goto(accountPaths.acmeKeys(1));
  await fill(customer, { description: "Gateway in Cologne" });
  await press(customer, "Make the key");
  await heading(customer, "The new ACME key");
  const [keyId = "", secret = ""] = (await customer.locator("dd .mono").allInnerTexts()).slice(1);
  return { keyId, secret };
}

/** An ACME client orders a certificate and gets it. Returns the answer to its CSR. */
async function orderByAcme(key: { keyId: string; secret: string }, name: string) {
  const acme = new AcmeClient(await newClientKey(), state.portal.origin);
  expect((await acme.register(key)).status).toBe(201);
  const order = await acme.order(name);
  expect(order.body.status).toBe("ready");
  const done = await acme.finalize(order, makeCsr({ subject: "", san: [`DNS:${name}`] }).der);
  expect([done.body.status, done.body.detail]).toEqual(["valid", undefined]);
  return new X509Certificate((await acme.post(done.body.certificate)).text);
}

const [factor, giveFactor] = withScripts
  ? (["a passkey", givePasskey] as const)
  : (["the code of an app", giveApp] as const);

test(`[MAN-03] an approver confirms a certificate to the signer, and a standing authorisation once, with ${factor}`, async () => {
  const [admin, customer] = [await state.open(), await state.open()];
  const confirm = await giveFactor(admin);
  await approveOrder(admin, await readyOrder(customer));
  await confirm();
  await admin.getByRole("status").getByText("1 certificate has been issued.").waitFor();
  expect(lastAuthority()).toMatch(/^grant [0-9a-f]{64} of admin@example\.org by the /);

  await askForStanding(customer);
  await admin.goto(staffPaths.standingAuthorisation(1));
  await fill(admin, { note: "Called back through the switchboard" });
  await press(admin, "Record that the contact agrees");
  await press(admin, "Approve");
  await heading(admin, "Confirm standing authorisation 1 to the signer");
  await confirm();
  await admin.getByText("Standing authorisation 1 is confirmed to the signer.").waitFor();
  const name = `edi.${DOMAIN}`;
  const certificate = await orderByAcme(await makeAcmeKey(customer), name);
  expect(certificate.subjectAltName).toBe(`DNS:${name}`);
  expect(certificate.subject).toContain("O=Example Parts GmbH");
  expect(lastAuthority()).toMatch(/^standing grant [0-9a-f]{64} of admin@example\.org by the /);
});
