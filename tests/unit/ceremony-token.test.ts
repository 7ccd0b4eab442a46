import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { fromPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { clearMemoized } from "~/lib/memoize.server";
import { crlStep, rootStep, useCeremonies } from "../support/ceremony";
import { openssl } from "../support/openssl-command";
import { useSoftHsm } from "../support/softhsm";
import { setVariables } from "../support/variables";

const { env, labels, relabel } = useSoftHsm();
const { dataDir, input, planOf, run, write } = useCeremonies();

const ON_TOKEN = { key: { store: "token", bits: 2048 } };

/** Reads the variables and opens the token again, as the next start of the command does. */
function startWith(change: Record<string, string>): void {
  clearMemoized();
  setVariables({ DATA_DIR: dataDir, ROOT_PASSPHRASE: "", ...change });
}

test("[CAL-01] the key of a root is made on the token once, and a later ceremony finds it by its public key", async () => {
  startWith(env);
  const { file, output } = write(planOf([rootStep("root-hsm", ON_TOKEN), crlStep("root-hsm")]));
  await expect(run(file, ["reviewed", "yes"])).rejects.toThrow("Stopped. 'root-hsm' was not signed.");
  const waiting = `root-hsm.${sha256Hex(readFileSync(file)).slice(0, 16)}`;
  expect(labels()).toEqual([waiting]);
  startWith(env);
  await run(file);
  expect(labels()).toEqual(["root-hsm"]);
  const root = join(output, "root-hsm.pem");
  expect(openssl(["verify", "-no_check_time", "-CAfile", root, root])).toContain(": OK");
  expect(openssl(["crl", "-in", join(output, "root-crl.crl.pem"), "-CAfile", root, "-noout"])).toBe("");
  const certificate = input("hsm.pem", readFileSync(root));
  relabel("root-hsm", "under another label");
  startWith(env);
  const next = write(planOf([crlStep({ name: "root-hsm", ...certificate })]));
  await run(next.file);
  expect(openssl(["crl", "-in", join(next.output, "root-crl.crl.pem"), "-CAfile", root, "-noout"])).toBe("");
  relabel("under another label", "root-hsm");
  const { file: again } = write(planOf([rootStep("root-hsm", ON_TOKEN)]));
  await expect(run(again)).rejects.toThrow(
    /^There is a key 'root-hsm' on the token 'marque test' already\. Choose another name/,
  );
  expect(labels()).toEqual(["root-hsm"]);
  const { spkiSha256 } = describeCertificate(fromPem("CERTIFICATE", readFileSync(root, "utf8")));
  relabel("root-hsm", "kept");
  startWith({ PKCS11_MODULE: "", PKCS11_TOKEN: "", PKCS11_PIN: "", PKCS11_AUTHORITIES: "" });
  const { file: without } = write(planOf([crlStep({ name: "root-hsm", ...certificate })]));
  await expect(run(without)).rejects.toThrow(
    `The key of 'root-hsm' is missing: ${join(dataDir, "ca")} does not hold the key with the public key SHA-256 ${spkiSha256}.`,
  );
  const { file: made } = write(planOf([rootStep("root-none", ON_TOKEN)]));
  await expect(run(made)).rejects.toThrow(
    "The plan makes a key on a token: set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN.",
  );
});
