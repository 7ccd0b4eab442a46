import { createPublicKey, X509Certificate } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { fromPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { installTransfer } from "~/domain/authorities/install.service.server";
import { takeOver } from "~/domain/authorities/life.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { askForRequest, askForState, giveCertificate, makeKey } from "~/domain/authorities/signer-client.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { issueCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { signerIn, startSigner, stopSigner, useSigners } from "../support/signer";
import { OPERATOR, requestSuccessor, signRequest, transferOf } from "../support/successors";
import { setVariables } from "../support/variables";

useSigners();
const portal = usePortal();
const { file, makeRsaKey } = useOpenssl();

const NEXT = "issuing-sha2-2031";
let signer: ReturnType<typeof signerIn>;
let child: Awaited<ReturnType<typeof startSigner>>;

const keys = () => readdirSync(join(signer.directory, "keys")).sort();
const namesAtSigner = async () => (await askForState()).issuers.map(({ name }) => name);

beforeAll(async () => {
  signer = signerIn(portal.dataDir);
  const env = { ...portal.env, SIGNER_DIR: signer.directory };
  expect(await runCommand(["signer", "adopt", "--operator", "Olga", "--yes"], env)).toMatchObject({ code: 0 });
  child = await startSigner(signer.env);
  setVariables({ SIGNER_SOCKET: signer.env.SIGNER_SOCKET, CA_PASSPHRASE: "" });
});

// The tests tell one story, in this order.
describe("[CAL-04] the key of another issuing CA is made in the signer", () => {
  let certificate: string;

  test("which signs the request for its certificate, and the portal never has the key", async () => {
    const { pem, keySha256 } = await requestSuccessor(NEXT);
    expect(keys().filter((file) => file.includes("waiting"))).toEqual([
      `${NEXT}.${keySha256.slice(0, 16)}.waiting.pem`,
    ]);
    expect(readdirSync(join(portal.dataDir, "ca")).filter((file) => file.includes(NEXT))).toEqual([]);
    await requestSuccessor(NEXT); // can be repeated: makes another key
    expect(keys().filter((file) => file.includes("waiting"))).toHaveLength(2);
    certificate = await signRequest(NEXT, pem);
    expect(await namesAtSigner()).not.toContain(NEXT);
  });

  test("and signs nothing but that request, for no other key and no CA that the signer has", async () => {
    const spkiDer = await makeKey("issuing-sha2-2032", { bits: 2048 });
    const key = createPublicKey({ key: Buffer.from(spkiDer), format: "der", type: "spki" });
    const fingerprint = sha256Hex(key.export({ format: "der", type: "spki" }));
    const ask = (bytes: Uint8Array, given = fingerprint) =>
      askForRequest("issuing-sha2-2032", { key: given, hash: "sha256" }, bytes);
    const tbs = new X509Certificate(certificate).raw;
    await expect(ask(tbs)).rejects.toThrow("signs nothing but the request for it");
    await expect(ask(Buffer.from("not DER"))).rejects.toMatchObject({ code: "signer-refused" });
    await expect(ask(tbs, "0".repeat(64))).rejects.toThrow("waits at the signer");
    await expect(makeKey("issuing-sha2", { bits: 2048 })).rejects.toThrow(
      "The signer has a CA 'issuing-sha2' already.",
    );
    await expect(makeKey("issuing-sha2-2033", { bits: 1024 })).rejects.toThrow("'bits' breaks its rule");
  });

  test("and takes no certificate with which it could not start again", async () => {
    const { pem } = await requestSuccessor("issuing-sha2-2036");
    const [root, rootKey] = [file("pem"), makeRsaKey()];
    openssl(["req", "-x509", "-key", rootKey, "-subj", "/CN=Root", "-out", root]);
    const extensions = file("cnf", "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n");
    const signed = ["x509", "-req", "-in", file("csr", pem), "-CA", root, "-CAkey", rootKey, "-extfile", extensions];
    const der = fromPem("CERTIFICATE", openssl([...signed, "-sha1"]));
    await expect(giveCertificate("issuing-sha2-2036", der)).rejects.toThrow(
      "sha1WithRSAEncryption is not a signature algorithm of this CA.",
    );
    await stopSigner(child);
    child = await startSigner(signer.env);
    expect(await namesAtSigner()).not.toContain("issuing-sha2-2036");
  });

  test("until its certificate arrives: then the signer signs for it at once, and removes the other keys of the name", async () => {
    const other = await signRequest("issuing-sha2-2034", (await requestSuccessor("issuing-sha2-2034")).pem);
    expect(await giveCertificate(NEXT, fromPem("CERTIFICATE", other))).toBe(false); // of another key
    await installTransfer(transferOf({ certificates: [{ kind: "issuing", name: NEXT, pem: certificate }] }), OPERATOR);
    expect(await namesAtSigner()).toContain(NEXT);
    expect(keys().filter((file) => file.startsWith(`${NEXT}.`))).toEqual([`${NEXT}.key.pem`]);
    expect(existsSync(join(signer.directory, "certificates", `${NEXT}.cer`))).toBe(true);
    expect(signer.lines().at(-1)).toMatchObject({ kind: "issuer", issuer: NEXT });
    await publishCrls(NEXT);
    await renewResponders();
  });

  test("and it takes over, also after a new start of the signer", async () => {
    await takeOver(NEXT, new Date(), OPERATOR);
    await stopSigner(child);
    child = await startSigner(signer.env);
    const { der } = await issueCertificate({ customer: await createUser() });
    expect(new X509Certificate(der).issuer).toContain("Issuing CA (SHA2) 2031");
    expect(signer.lines().at(-1)).toMatchObject({ kind: "certificate", issuer: NEXT });
  });
});

test("[CAL-04] the portal cannot fill the signer with keys: at most five wait", async () => {
  const made = [];
  for (let index = 0; index < 6; index += 1)
    made.push(await makeKey(`issuing-g3-${2040 + index}`, { bits: 2048 }).catch((error: unknown) => error));
  expect(made.at(-1)).toMatchObject({
    code: "signer-refused",
    message: expect.stringMatching(/^5 keys wait/) as string,
  });
});
