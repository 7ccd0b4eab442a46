import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page } from "playwright";
import { afterAll, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { App } from "../support/authenticator-app";
import { checksDone } from "../support/certificates";
import { runCommand } from "../support/command";
import { useOpenssl } from "../support/openssl";
import { endSigners, signerIn, startSigner } from "../support/signer";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificateOrder } from "./support/codes";
import { completeRegistration, CUSTOMER, fill, heading, linkFor, logIn, press, register } from "./support/journey";
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

/** Registers a customer and gives them an order that only has to be approved. Returns its id. */
async function readyOrder(): Promise<number> {
  const page = await state.open();
  await register(page, CUSTOMER);
  await completeRegistration(page);
  await page.goto(await linkFor(state.portal, CUSTOMER.email, "/verify-email/"));
  await press(page, "Confirm email address");
  const { pem } = makeCsr({ subject: "/C=DE/O=Example Parts GmbH/CN=gateway.example-parts.com" });
  return giveCertificateOrder(state.portal, CUSTOMER.email, pem, checksDone());
}

async function approveOrder(page: Page, id: number): Promise<void> {
  await page.goto(paths.certificateQueueOrder(id));
  await press(page, "Approve");
  await press(page, "Approve and issue");
  await heading(page, "Confirm to the signer");
}

async function issuedTo(page: Page): Promise<void> {
  await page.getByRole("status").getByText("1 certificate has been issued.").waitFor();
  expect(signer.lines().at(-1)?.authority).toMatch(/^grant [0-9a-f]{64} of admin@example\.org by the /);
}

const byPasskey = () => {
  test("[MAN-03] an approver offers a passkey to the signer, an operator accepts it, and it confirms a certificate", async () => {
    const page = await state.open();
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
    await approveOrder(page, await readyOrder());
    await press(page, "Confirm with a passkey");
    await issuedTo(page);
  });
};

const byCode = () => {
  test("[MAN-03] an approver confirms a certificate with the code of an app that an operator has added on the signer's console", async () => {
    const page = await state.open();
    await logIn(page);
    let app: App | undefined;
    const added = await operator(["add-app", "--person", ADMIN.email], (printed) => {
      const secret = /Secret: ([A-Z2-7 ]+)\n/.exec(printed)?.[1]?.replace(/ /g, "");
      if (secret === undefined || app) return null;
      app = new App(secret);
      return app.code();
    });
    expect(added).toMatchObject({ code: 0, err: "" });
    await approveOrder(page, await readyOrder());
    await fill(page, { code: app?.code() ?? "" });
    await press(page, "Confirm with the code");
    await issuedTo(page);
  });
};

if (withScripts) byPasskey();
else byCode();
