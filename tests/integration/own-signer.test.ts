import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toPem } from "~/ca/pem.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { endOwnSigner } from "~/domain/authorities/own-signer.server";
import { askForState } from "~/domain/authorities/signer-client.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { checkPolicies } from "~/domain/repository/policies/check.server";
import { staffPaths } from "~/lib/staff-paths";
import * as policyPage from "~/routes/_public.certificate-repository_.$policy";
import * as overview from "~/routes/home.overview";
import { getDb } from "~db/connection.server";
import { saidOf, useBackups } from "../support/backups";
import { checksDone, createCertificateOrder, readCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { createAdmin, createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signerIn } from "../support/signer";
import { setVariables } from "../support/variables";
import { anonymous, signedInAs } from "../support/visitor";

const portal = usePortal();
const { file, makeCsr } = useOpenssl();
const { path, recipient, machine, backup, restore } = useBackups(() => ({ ...portal.env, SIGNER_CHILD: "yes" }));

const NAMES = ["issuing-g3.key.pem", "issuing-sha2.key.pem"];
const here = (...parts: string[]) => join(portal.dataDir, ...parts);
const atPortal = () => readdirSync(here("ca")).sort();
const atSigner = () => readdirSync(here("signer/keys")).sort();
/** Runs a command of a portal that starts its signer itself. */
const command = (...args: string[]) => runCommand(args, { ...portal.env, SIGNER_CHILD: "yes" });

beforeAll(() => cpSync(here("ca"), here("a-copy"), { recursive: true }));
afterAll(endOwnSigner);

describe("the keys of a portal that had none", () => {
  beforeEach(() => {
    for (const name of NAMES) copyFileSync(here("a-copy", name), here("ca", name));
    rmSync(here("signer"), { recursive: true, force: true });
  });

  const [name = ""] = NAMES.slice(1);
  const place = (folder: string, from: string, to = basename(from)) => {
    mkdirSync(here("signer", folder), { recursive: true, mode: 0o700 });
    copyFileSync(from, here("signer", folder, to));
  };

  test.each([
    ["before the first step", () => Promise.resolve()],
    [
      "after the certificate",
      async () => {
        mkdirSync(here("signer/certificates"), { recursive: true, mode: 0o700 });
        const { certificate } = await getAuthority(getDb(), "issuing-sha2");
        place("certificates", file("cer", certificate), "issuing-sha2.cer");
      },
    ],
    ["after the copy of the key", () => Promise.resolve(place("keys", here("ca", name)))],
    [
      "after one key of two",
      () => {
        place("keys", here("ca", name));
        return Promise.resolve(rmSync(here("ca", name)));
      },
    ],
  ])("[CAL-01] the set-up moves them, also when it was interrupted %s", async (_, interrupted) => {
    await interrupted();
    expect(await command("setup")).toMatchObject({ code: 0, err: "" });
    expect([atPortal(), atSigner()]).toEqual([["root-g3.key.pem", "root.key.pem"], NAMES]);
    for (const one of NAMES) expect(readFileSync(here("signer/keys", one))).toEqual(readFileSync(here("a-copy", one)));
    const status = await command("signer", "status");
    expect(status.out.match(/usable/g)).toHaveLength(2);
  });

  test("[CAL-01] the set-up overwrites no other key of the signer", async () => {
    place("keys", here("ca/issuing-g3.key.pem"), name);
    const { code, err } = await command("setup");
    expect([code, err]).toEqual([
      1,
      `portal: ${here("signer/keys", name)} exists with other contents. Nothing was overwritten.\n`,
    ]);
    expect(atPortal()).toContain(name);
  });

  test("[CAL-01] a key that waits for its certificate goes with them", async () => {
    const asked = ["ca", "request", "issuing-sha2-2031", path("request.pem"), "--caption", "Issuing 2031"];
    expect(await runCommand([...asked, "--operator", "Olga"], portal.env)).toMatchObject({ code: 0 });
    const [waiting = ""] = atPortal().filter((one) => one.endsWith(".waiting.pem"));
    expect(await command("setup")).toMatchObject({ code: 0 });
    expect(atPortal()).not.toContain(waiting);
    expect(atSigner()).toContain(waiting);
    rmSync(here("signer/keys", waiting));
  });

  test("[CAL-01] with SIGNER_CHILD=no the portal says where they are, and goes on when they are moved back", async () => {
    expect(await command("setup")).toMatchObject({ code: 0 });
    const without = await runCommand(["setup"], { ...portal.env, SIGNER_CHILD: "no" });
    expect(without.err).toContain(
      `portal: ${here("ca", name)} is missing, but the database knows the CA 'issuing-sha2'. ` +
        `To go on, set SIGNER_CHILD=yes, or stop the portal and move the key back from ${here("signer/keys", name)}.`,
    );
    for (const one of NAMES) renameSync(here("signer/keys", one), here("ca", one));
    expect(await runCommand(["setup"], portal.env)).toMatchObject({ code: 0, err: "" });
  });
});

describe("a portal that starts its signer", () => {
  let approver: NonNullable<Awaited<ReturnType<typeof findSessionUser>>>;

  beforeAll(async () => {
    rmSync(here("signer"), { recursive: true, force: true });
    for (const name of NAMES) copyFileSync(here("a-copy", name), here("ca", name));
    expect(await command("setup")).toMatchObject({ code: 0, err: "" });
    const user = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
    if (!user) throw new Error("The administrator cannot be found.");
    approver = user;
    setVariables({ SIGNER_CHILD: "yes" });
  });

  test("[CAL-01] [CAL-02] issues certificates that openssl verifies, and the journal has them", async () => {
    const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
    expect((await approveOrder(id, approver)).status).toBe("Issued");
    const { der, serialNumber } = await readCertificate(id);
    const pemOf = async (name: "root" | "issuing-sha2") =>
      file("pem", toPem("CERTIFICATE", (await getAuthority(getDb(), name)).certificate));
    const chain = ["-CAfile", await pemOf("root"), "-untrusted", await pemOf("issuing-sha2")];
    expect(openssl(["verify", "-x509_strict", ...chain, file("cer", der ?? "")])).toContain(": OK\n");
    const { lines } = signerIn(portal.dataDir);
    expect(lines().map(({ serial }) => serial)).toContain(serialNumber);
  });

  test("[CAL-03] a request that reaches a signer which is just ending is sent again to the next one", async () => {
    const socket = here("signer/socket");
    await endOwnSigner();
    const ending = createServer((connection) => {
      connection.destroy();
      ending.close();
    });
    await new Promise<void>((resolve) => void ending.listen(socket, resolve));
    expect(await askForState()).toHaveProperty("issuers");
    await endOwnSigner();
  });

  test("[CAL-03] commands use the signer that runs, or start one and end it, also several at once", async () => {
    const socket = here("signer/socket");
    await askForState(); // starts it in this process
    expect(existsSync(socket)).toBe(true);
    expect(await command("ca", "publish")).toMatchObject({ code: 0, err: "" });
    expect(existsSync(socket)).toBe(true);
    await endOwnSigner();
    expect(existsSync(socket)).toBe(false);
    const all = await Promise.all([command("ca", "publish"), command("ca", "renew-ocsp"), command("audit", "verify")]);
    expect(all.map(({ code, err }) => [code, err])).toEqual(all.map(() => [0, ""]));
    expect(existsSync(socket)).toBe(false);
    const verified = await command("audit", "verify");
    expect(verified).toMatchObject({ code: 0, err: "" });
    expect(verified.out).toContain("The signer's journal was compared with the database.");
  });

  test("[CAL-01] a key that its passphrase does not open is one sentence, and nothing hangs", async () => {
    const wrong = { ...portal.env, SIGNER_CHILD: "yes", CA_PASSPHRASE: "another passphrase than that" };
    await endOwnSigner();
    const { code, err } = await runCommand(["ca", "publish"], wrong);
    expect([code, err]).toEqual([
      1,
      `portal: The signer that the portal starts does not run. CA_PASSPHRASE does not open ${here("signer/keys/issuing-g3.key.pem")}.\n`,
    ]);
  });

  test("[CAL-01] the overview and the practice statement say that it keeps the keys from nobody who controls the portal", async () => {
    const { html } = await openPage(overview, await signedInAs(await createAdmin()), staffPaths.overview);
    expect(pageText(html)).toContain("The portal has started it itself, as the same user and with the same secrets");
    const name = "certification-practice-statement";
    const read = await openPage(policyPage, await anonymous(), `/certificate-repository/${name}`, {
      params: { policy: name },
    });
    expect(pageText(read.html)).toContain("this does not keep the keys from whoever controls the portal");
    expect(pageText(read.html)).not.toContain("only the signer’s system user can read");
    expect(checkPolicies()).toEqual([]);
  });

  test("[CAL-01] a backup has its keys and journal, and a restored portal goes on signing", async () => {
    expect(await backup(path("own.age"), "--recipient", recipient)).toMatchObject({ code: 0 });
    const elsewhere = { ...(await machine("elsewhere")), SIGNER_CHILD: "yes" };
    const checked = await restore(elsewhere, path("own.age"), "--check");
    expect(saidOf(checked)).toContain(
      "CA_PASSPHRASE opens the key of 'issuing-sha2', and it belongs to its certificate.",
    );
    expect(await restore(elsewhere, path("own.age"))).toMatchObject({ code: 0 });
    expect(await runCommand(["ca", "publish"], elsewhere)).toMatchObject({ code: 0, err: "" });
    expect(await runCommand(["audit", "verify"], elsewhere)).toMatchObject({ code: 0, err: "" });
  });

  test("[CAL-01] the passphrase of its keys is changed while the portal is stopped", async () => {
    const [newPassphrase, next] = [path("next.txt"), "the next passphrase of the tests"];
    writeFileSync(newPassphrase, `${next}\n`);
    const wrong = await command(
      "ca",
      "change-passphrase",
      "issuing",
      "--operator",
      "Olga",
      "--new-passphrase-file",
      newPassphrase,
    );
    expect(wrong.err).toContain("has no key file for which CA_PASSPHRASE is. Use 'signer change-passphrase'.");
    await endOwnSigner();
    const changed = await command(
      "signer",
      "change-passphrase",
      "--operator",
      "Olga",
      "--new-passphrase-file",
      newPassphrase,
    );
    expect(changed).toMatchObject({ code: 0, err: "" });
    const published = await runCommand(["ca", "publish"], { ...portal.env, SIGNER_CHILD: "yes", CA_PASSPHRASE: next });
    expect(published).toMatchObject({ code: 0, err: "" });
  });
});
