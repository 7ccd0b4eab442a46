import { createPublicKey, randomBytes, verify } from "node:crypto";
import { expect, test } from "vitest";
import { CaError } from "~/ca/errors.server";
import { decryptPrivateKey, encryptPrivateKey, generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { fromPem } from "~/ca/pem.server";
import { softwareSigner } from "~/ca/signer.server";
import { members } from "../support/der";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";

const { file, makeKey } = useOpenssl();
const PASSPHRASE = "correct horse – Pferd";

const codeOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof CaError) return error.code;
    throw error;
  }
  return "nothing thrown";
};

test("[CAL-01] a CA key is encrypted with AES-256 and 600,000 rounds of PBKDF2, and openssl opens it with the passphrase", async () => {
  const { privateKey, publicKey } = await generateRsaKey(2048);
  const pem = await encryptPrivateKey(privateKey, PASSPHRASE, randomBytes);
  const path = file("pem", pem);

  const structure = openssl(["asn1parse", "-in", path]);
  expect(structure).toMatch(/PBES2[\s\S]*PBKDF2[\s\S]*:0927C0[\s\S]*hmacWithSHA256[\s\S]*aes-256-cbc/);
  expect(parseInt("0927C0", 16)).toBe(600_000);
  expect(openssl(["pkey", "-in", path, "-passin", `pass:${PASSPHRASE}`, "-pubout"])).toBe(
    publicKey.export({ type: "spki", format: "pem" }),
  );
  expect(opensslFailure(["pkey", "-in", path, "-passin", "pass:wrong", "-pubout"])).not.toContain("-----BEGIN");
  expect(spkiDerOf(decryptPrivateKey(pem, PASSPHRASE))).toEqual(spkiDerOf(publicKey));
});

test("[CAL-01] salt and initialisation vector are random and new each time", async () => {
  const { privateKey } = await generateRsaKey(1024);
  const sizes: number[] = [];
  const random = (size: number): Uint8Array => {
    sizes.push(size);
    return randomBytes(size);
  };
  const first = await encryptPrivateKey(privateKey, PASSPHRASE, random);
  expect(await encryptPrivateKey(privateKey, PASSPHRASE, random)).not.toBe(first);
  expect(sizes).toEqual([16, 16, 16, 16]);
  await expect(encryptPrivateKey(privateKey, "", random)).rejects.toMatchObject({ code: "invalid-argument" });
});

test("[CAL-01] a wrong passphrase and a file that is no encrypted key each give one clear error", async () => {
  const { privateKey } = await generateRsaKey(1024);
  const pem = await encryptPrivateKey(privateKey, PASSPHRASE, randomBytes);
  expect(() => decryptPrivateKey(pem, "wrong")).toThrow("The passphrase does not open this CA key.");
  expect(codeOf(() => decryptPrivateKey(pem, ""))).toBe("wrong-passphrase");
  const plain = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  for (const text of ["", "garbage", plain, plain.replaceAll("PRIVATE", "ENCRYPTED PRIVATE"), pem.slice(0, 200)]) {
    expect(codeOf(() => decryptPrivateKey(text, PASSPHRASE))).toBe("not-an-encrypted-key");
  }
});

test("[CAL-01] a key that openssl encrypted can be imported", () => {
  const path = makeKey("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-aes-256-cbc", "-pass", "pass:secret");
  expect(
    decryptPrivateKey(
      openssl(["pkcs8", "-topk8", "-in", path, "-passin", "pass:secret", "-passout", "pass:new"]),
      "new",
    ).type,
  ).toBe("private");
});

test("[CAL-02] the signer signs RSASSA-PKCS1-v1_5 with its hash, several at a time", async () => {
  const { privateKey, publicKey } = await generateRsaKey(2048);
  for (const hash of ["sha256", "sha512"] as const) {
    const signer = softwareSigner(privateKey, hash);
    const messages = [1, 2, 3, 4].map((byte) => Uint8Array.of(byte));
    const signatures = await Promise.all(messages.map((message) => signer.sign(message)));
    messages.forEach((message, index) => {
      expect(verify(hash, message, publicKey, signatures[index] ?? new Uint8Array())).toBe(true);
    });
    expect(signer.hash).toBe(hash);
  }
});

test("[CAL-02] the certified public key belongs to the private key", async () => {
  const { privateKey, publicKey } = await generateRsaKey(1024);
  const der = spkiDerOf(privateKey);
  expect(der).toEqual(spkiDerOf(publicKey));
  expect(createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" }).equals(publicKey)).toBe(true);
  expect(members(fromPem("PUBLIC KEY", publicKey.export({ type: "spki", format: "pem" }) as string))).toHaveLength(2);
});
