import { spawnSync } from "node:child_process";
import { readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { toPem } from "~/ca/pem.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { askForState } from "~/domain/authorities/signer-client.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { checkReadiness, lastReadiness } from "~/domain/jobs/readiness.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { checksDone, createCertificateOrder, readCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { createAdmin, createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { signerIn, startSigner, useSigners } from "../support/signer";
import { forgetAuthorities, restartWith, useSoftHsm } from "../support/softhsm";

useSigners();
const { directory, env } = useSoftHsm();
const { file, makeCsr } = useOpenssl();
const portal = usePortal(env);

const NO_TOKEN = { PKCS11_MODULE: "", PKCS11_TOKEN: "", PKCS11_PIN: "", PKCS11_AUTHORITIES: "" };
const CANNOT = expect.stringMatching(/token 'marque test'/) as string;
let signer: ReturnType<typeof signerIn>;
let approver: NonNullable<Awaited<ReturnType<typeof findSessionUser>>>;

beforeAll(async () => {
  await forgetAuthorities();
  restartWith({});
  await createAuthorities({ bits: 2048 });
  const user = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!user) throw new Error("The administrator cannot be found.");
  approver = user;
  signer = signerIn(portal.dataDir, { ...env, CA_PASSPHRASE: "" });
  const { SIGNER_DIR, SIGNER_SOCKET } = signer.env;
  const adopted = await runCommand(["signer", "adopt", "--operator", "Olga", "--yes"], { ...portal.env, SIGNER_DIR });
  expect(adopted).toMatchObject({ code: 0, err: "" });
  expect(adopted.out).toContain("issuing-sha2: its key stays on the token, its certificate is written");
  await startSigner(signer.env);
  restartWith({ ...NO_TOKEN, SIGNER_SOCKET, CA_PASSPHRASE: "" });
});

const order = async () => createCertificateOrder(await createUser(), makeCsr().der, checksDone());
const pemFile = async (name: AuthorityName) =>
  file("pem", toPem("CERTIFICATE", (await getAuthority(getDb(), name)).certificate));

async function readiness(): Promise<string[]> {
  lastReadiness.clear();
  return checkReadiness();
}

test("[CAL-01] [CAL-02] a signer with a token issues certificates that openssl verifies up to the root", async () => {
  const { id } = await order();
  expect((await approveOrder(id, approver)).status).toBe("Issued");
  const chain = ["-CAfile", await pemFile("root"), "-untrusted", await pemFile("issuing-sha2")];
  const certificate = file("cer", (await readCertificate(id)).der ?? "");
  expect(openssl(["verify", "-x509_strict", ...chain, certificate])).toContain(": OK\n");
});

test.each<AuthorityName>(["issuing-sha2", "issuing-g3"])(
  "[CAL-03] a signer with a token signs the CRLs of %s, which openssl verifies",
  async (name) => {
    await publishCrls(name);
    const { id } = await getAuthority(getDb(), name);
    for (const isDelta of [false, true]) {
      const crl = file("crl", (await findLatestCrl(getDb(), id, isDelta))?.der);
      const options = ["-inform", "DER", "-in", crl, "-noout", "-CAfile", await pemFile(name)];
      expect(spawnSync("openssl", ["crl", ...options], { encoding: "utf8" }).stderr).toContain("verify OK");
    }
    const kinds = signer.lines().filter(({ issuer, kind }) => issuer === name && kind.endsWith("crl"));
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(["crl", "delta-crl"]);
  },
);

test("[CAL-04] orders wait while the token is pulled out, and are completed when it is back", async () => {
  await renewResponders();
  expect(await readiness()).toEqual([]);
  const tokens = join(directory, "tokens");
  const [name = ""] = readdirSync(tokens).filter((one) => statSync(join(tokens, one)).isDirectory());
  const [slot, drawer] = [join(tokens, name), join(directory, "pulled-out")];
  renameSync(slot, drawer);
  const { id } = await order();
  await expect(approveOrder(id, approver)).rejects.toMatchObject({ code: "signer", message: CANNOT });
  const recorded = await readCertificate(id);
  expect(recorded).toMatchObject({ status: "Pending", der: null });
  expect((await askForState()).issuers.map(({ problem }) => problem)).toEqual([CANNOT, CANNOT]);
  expect(await readiness()).toEqual([
    "the signer does not sign for issuing-sha2",
    "the signer does not sign for issuing-g3",
  ]);
  await expect(finishInterruptedIssuing()).rejects.toThrow("token 'marque test'");

  renameSync(drawer, slot);
  expect(await finishInterruptedIssuing()).toBe(1);
  expect(await readCertificate(id)).toMatchObject({ status: "Issued", serialNumber: recorded.serialNumber });
  expect(signer.lines().filter(({ serial }) => serial === recorded.serialNumber)).toHaveLength(1);
  expect(await readiness()).toEqual([]);
});
