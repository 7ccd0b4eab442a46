import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { askForSignature, sendGrant } from "~/domain/authorities/signer-client.server";
import { App } from "../support/authenticator-app";
import { runCommand } from "../support/command";
import { usePortal } from "../support/portal";
import { signerIn, startSigner, stopSigner, useSigners } from "../support/signer";
import { setVariables } from "../support/variables";

useSigners();
const portal = usePortal();

const NEXT = "the next passphrase of the issuing CAs";
let signer: ReturnType<typeof signerIn>;
let child: Awaited<ReturnType<typeof startSigner>>;

const keyOf = (name: string) => join(signer.directory, "keys", `${name}.key.pem`);

/** Runs the command as the user of the signer, with another present passphrase if one is given. */
function change(env: Record<string, string> = {}) {
  const file = join(portal.dataDir, "next.txt");
  writeFileSync(file, `${NEXT}\n`);
  const args = ["signer", "change-passphrase", "--operator", "Olga", "--new-passphrase-file", file];
  return runCommand(args, { ...portal.env, ...signer.env, ...env });
}

beforeAll(async () => {
  signer = signerIn(portal.dataDir);
  const env = { ...portal.env, SIGNER_DIR: signer.directory };
  expect(await runCommand(["signer", "adopt", "--operator", "Olga", "--yes"], env)).toMatchObject({ code: 0 });
  child = await startSigner(signer.env);
  setVariables({ SIGNER_SOCKET: signer.env.SIGNER_SOCKET, CA_PASSPHRASE: "" });
});

test("[CAL-04] the passphrase of the signer's keys and of the secrets of its apps is changed while it is stopped", async () => {
  let app: App | undefined;
  const add = ["signer", "add-app", "--person", "anna", "--operator", "Olga"];
  await runCommand(add, { ...portal.env, ...signer.env }, (printed) => {
    const secret = /Secret: ([A-Z2-7 ]+)\n/.exec(printed)?.[1]?.replace(/ /g, "");
    if (secret === undefined || app) return null;
    app = new App(secret);
    return app.code();
  });

  expect((await change()).err).toContain("portal: Stop the signer first");
  await stopSigner(child);
  const wrong = await change({ CA_PASSPHRASE: "another passphrase of nobody" });
  expect(wrong.err).toMatch(/^portal: The present passphrase does not open .*issuing-g3\.key\.pem\.\n$/);
  const before = join(portal.dataDir, "before.pem");
  copyFileSync(keyOf("issuing-sha2"), before);

  const changed =
    "Changed the passphrase of the key of 'issuing-g3'\nChanged the passphrase of the key of 'issuing-sha2'\n";
  expect(await change()).toMatchObject({ code: 0, err: "", out: expect.stringContaining(changed) as string });
  expect(readFileSync(keyOf("issuing-sha2"), "utf8")).toMatch(/^CA key 'issuing-sha2', encrypted\./);
  expect(signer.allLines().at(-1)).toMatchObject({
    kind: "passphrase-changed",
    by: "operator Olga",
    names: ["issuing-g3", "issuing-sha2"],
  });

  copyFileSync(before, keyOf("issuing-sha2")); // as if the command had been interrupted before this file
  const again = await change();
  expect(again.out).toContain("Changed the passphrase of the key of 'issuing-sha2'\n");
  expect(again.out).not.toContain("issuing-g3");

  await expect(startSigner(signer.env)).rejects.toThrow(/CA_PASSPHRASE does not open .*issuing-g3\.key\.pem/);
  child = await startSigner({ ...signer.env, CA_PASSPHRASE: NEXT, SIGNER_GRANTS: "required" });
  await expect(askForSignature("issuing-sha2", Buffer.from("3000", "hex"))).rejects.toMatchObject({
    code: "signer-refused",
  });
  const asked = { person: "anna", askedAt: new Date().toISOString(), digests: ["0".repeat(64)] };
  expect(await sendGrant({ ...asked, answer: { code: app?.code() ?? "" } })).toMatch(/^[0-9a-f]{64}$/);
});
