import { spawnSync } from "node:child_process";
import { randomBytes, verify } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import pkcs11js from "pkcs11js";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { toPem } from "~/ca/pem.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { paths } from "~/lib/paths";
import { action } from "~/routes/home.certificate-queue.$id/route";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { checksDone, createCertificateOrder, readCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { ALL_AUTHORITIES, forgetAuthorities, restartWith, useSoftHsm } from "../support/softhsm";
import { TEST_PASSPHRASE } from "../support/template";
import { run, signedInAs } from "../support/visitor";

const { env, hsm, slotOf, privateKeys, labels, relabel, importKey, restart } = useSoftHsm();
const { file, makeCsr } = useOpenssl();
const portal = usePortal(env);

const NAMES: AuthorityName[] = ["issuing-g3", "issuing-sha2", "root", "root-g3"];
const keyFiles = () => readdirSync(join(portal.dataDir, "ca")).filter((name) => name.endsWith(".key.pem"));
const pemFile = async (name: AuthorityName) =>
  file("pem", toPem("CERTIFICATE", (await getAuthority(getDb(), name)).certificate));

let before: string[];
beforeAll(async () => {
  await forgetAuthorities();
  before = keyFiles(); // the key files of the template's CAs
  restartWith({});
  await createAuthorities({ bits: 2048 });
});

beforeEach(() => restartWith({ PKCS11_AUTHORITIES: ALL_AUTHORITIES }));

/** Orders a certificate and approves it on the page. */
async function issue() {
  const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
  const visitor = await signedInAs(await createAdmin());
  const request = await visitor.post(paths.certificateQueueOrder(id), { intent: "approve", confirmed: "yes" });
  expect((await run(action, request, { id: String(id) })).status).toBe(303);
  return readCertificate(id);
}

/** Makes `count` signatures at the same time. Returns how many of them the public key verifies. */
async function signAtOnce(count: number): Promise<number> {
  const { publicKey } = readIssuer((await getAuthority(getDb(), "issuing-g3")).certificate);
  const signer = await getSigner("issuing-g3");
  const texts = Array.from({ length: count }, () => new Uint8Array(randomBytes(300)));
  const signatures = await Promise.all(texts.map((text) => signer.sign(text)));
  return signatures.filter((signature, index) =>
    verify("sha512", texts[index] ?? new Uint8Array(), publicKey, signature),
  ).length;
}

/** Deletes an authority's row. Returns a function that puts it back. */
async function forget(name: AuthorityName) {
  const { id, ...row } = await getAuthority(getDb(), name);
  await getDb().deleteFrom("crls").where("authorityId", "=", id).execute();
  await getDb().deleteFrom("authorities").where("id", "=", id).execute();
  return () => getDb().insertInto("authorities").values(row).execute();
}

describe("CA keys on a PKCS #11 token", () => {
  test("[CAL-01] are created there, sensitive and not extractable, and can only sign", () => {
    expect(labels()).toEqual(NAMES);
    const { CKA_SENSITIVE, CKA_ALWAYS_SENSITIVE, CKA_NEVER_EXTRACTABLE, CKA_SIGN } = pkcs11js;
    const { CKA_EXTRACTABLE, CKA_DECRYPT, CKA_UNWRAP } = pkcs11js;
    const granted = privateKeys(CKA_SENSITIVE, CKA_ALWAYS_SENSITIVE, CKA_NEVER_EXTRACTABLE, CKA_SIGN);
    const denied = privateKeys(CKA_EXTRACTABLE, CKA_DECRYPT, CKA_UNWRAP);
    for (const { values } of granted) expect(Buffer.concat(values)).toEqual(Buffer.from([1, 1, 1, 1]));
    for (const { values } of denied) expect(Buffer.concat(values)).toEqual(Buffer.from([0, 0, 0]));
    expect(keyFiles()).toEqual(before);
  });

  test("[CAL-01] are kept when the command is repeated", async () => {
    const { certificate } = await getAuthority(getDb(), "root");
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
    expect((await getAuthority(getDb(), "root")).certificate.equals(certificate)).toBe(true);
  });

  test("[CAL-02] issue certificates that openssl verifies up to the root", async () => {
    const { der } = await issue();
    const chain = ["-CAfile", await pemFile("root"), "-untrusted", await pemFile("issuing-sha2")];
    expect(openssl(["verify", "-x509_strict", ...chain, file("cer", der ?? "")])).toContain(": OK\n");
    expect(
      openssl(["verify", "-x509_strict", "-CAfile", await pemFile("root-g3"), await pemFile("issuing-g3")]),
    ).toContain(": OK\n");
  });

  test.each(NAMES)("[CAL-03] sign the CRL of %s, which openssl verifies", async (name) => {
    await publishCrls(name, new Date(), { allowRoot: true });
    const { id } = await getAuthority(getDb(), name);
    const list = file("crl", (await findLatestCrl(getDb(), id, false))?.der);
    const options = ["-inform", "DER", "-in", list, "-noout", "-text", "-CAfile", await pemFile(name)];
    const { stderr, stdout } = spawnSync("openssl", ["crl", ...options], { encoding: "utf8" });
    expect(stderr).toContain("verify OK");
    expect(stdout).toContain(name.endsWith("g3") ? "sha512WithRSAEncryption" : "sha256WithRSAEncryption");
  });

  test("[CAL-01] of roots are opened by the command line only", async () => {
    await expect(getSigner("root")).rejects.toThrow("The key of 'root' is opened by the command line only.");
  });

  test("[CAL-04] sign in as many sessions as are allowed while the others wait", async () => {
    expect(await signAtOnce(20)).toBe(20);
  });

  test.each([
    ["its sessions are closed", () => hsm.C_CloseAllSessions(slotOf())],
    ["it was restarted", () => restart()],
    ["its library is ended", () => hsm.C_Finalize()],
  ])("[CAL-04] work again after %s: the portal logs in by itself", async (_, interrupt) => {
    expect(await signAtOnce(4)).toBe(4);
    interrupt();
    expect(await signAtOnce(8)).toBe(8);
    expect((await issue()).status).toBe("Issued");
  });

  test("[CAL-04] left by a crash are put in place, and those of other attempts removed", async () => {
    await getSigner("issuing-g3");
    relabel("issuing-g3", "issuing-g3.waiting");
    restartWith({});
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
    expect(await signAtOnce(1)).toBe(1);

    importKey("issuing-g3.waiting", file("pem", openssl(["genpkey", "-algorithm", "RSA"])));
    restart();
    restartWith({});
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
    expect(labels()).toEqual(NAMES);
    expect(await signAtOnce(1)).toBe(1);
  });

  test("[CAL-01] that belong to no authority are neither used nor overwritten", async () => {
    const putBack = await forget("issuing-g3");
    await expect(createAuthorities({ bits: 2048 })).rejects.toThrow(
      /holds a key 'issuing-g3', but the database knows no CA 'issuing-g3'/,
    );
    await putBack();
    expect(await signAtOnce(1)).toBe(1);
  });

  test("[CAL-01] can come from a key file, and the CA keeps its certificate", async () => {
    await forget("issuing-g3");
    relabel("issuing-g3", "put aside");
    const keyFile = join(portal.dataDir, "ca", "issuing-g3.key.pem");
    rmSync(keyFile);
    restartWith({ PKCS11_AUTHORITIES: "root,root-g3,issuing-sha2" });
    expect(await createAuthorities({ bits: 2048 })).toEqual(["issuing-g3"]);
    expect(existsSync(keyFile)).toBe(true);

    const plain = openssl(["pkcs8", "-in", keyFile, "-passin", `pass:${TEST_PASSPHRASE}`]);
    importKey("issuing-g3", file("pem", plain));
    rmSync(keyFile);
    restart();
    restartWith({ PKCS11_AUTHORITIES: ALL_AUTHORITIES });
    expect(await createAuthorities({ bits: 2048 })).toEqual([]);
    expect(await signAtOnce(3)).toBe(3);
  });
});
