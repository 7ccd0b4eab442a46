import { generatePrime } from "node:crypto";
import { promisify } from "node:util";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { spkiDerOf } from "~/ca/keys.server";
import { prepareLinted } from "~/ca/lint/prepared.server";
import { sha256Hex, thumbprint } from "~/ca/thumbprint.server";
import { keyIdentityOf, readPublicKey } from "~/ca/x509/public-key.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { newContent, requestFrom } from "~/domain/certificates/issuing/issuance-request.server";
import { bigIntOf, bytesOfInteger } from "~/lib/big-integer";
import { getDb } from "~db/connection.server";
import { type NewRow } from "~db/tables";
import { makeManyKeys } from "../support/many-keys";

const prime = promisify(generatePrime) as unknown as (size: number) => Promise<ArrayBuffer>;

/** Yields RSA-2048 moduli, each a product of another pair of as few primes as give `count` pairs. Nobody compares these keys. */
async function* moduliOf(count: number): AsyncGenerator<bigint> {
  const primes: bigint[] = [];
  for (let given = 0; given < count;) {
    const next = bigIntOf(Buffer.from(await prime(1024)));
    for (const other of primes.slice(0, count - given)) {
      given += 1;
      yield next * other;
    }
    primes.push(next);
  }
}

/**
 * Returns a function that makes one certificate after the other as the portal issues it, up to `count`, and returns the columns of its row.
 * The CA signs as many at the same time as callers wait.
 */
export async function soundCertificates(count: number): Promise<() => Promise<Partial<NewRow<"certificates">>>> {
  const authority = await getAuthority(getDb(), "issuing-sha2");
  const signer = await getSigner(authority.name);
  const [key] = await makeManyKeys(1);
  if (!key) throw new Error("No key was made.");
  const pattern = Buffer.from(spkiDerOf(key));
  const { publicKey } = readPublicKey(pattern);
  const modulusAt = publicKey.algorithm === "RSA" ? pattern.indexOf(bytesOfInteger(publicKey.modulus)) : -1;
  const moduli = moduliOf(count);
  return async () => {
    const { value } = (await moduli.next()) as { value: bigint };
    const spkiDer = Buffer.from(pattern);
    bytesOfInteger(value).copy(spkiDer, modulusAt);
    const now = new Date();
    const subject = { commonName: "oftp.example", organisation: "Acme GmbH", country: "DE" };
    const usage = { hasSecureSession: true, hasEmail: false, hasEncryption: false, hasFileSigning: false };
    const content = newContent({ subject, subjectAlternateName: [{ type: "dns", value: "oftp.example" }] }, 2, now);
    const { serial, tbs, profile } = prepareLinted(
      requestFrom({ ssid: null, spkiDer, usage, ...content }, authority, now),
    ).prepared;
    const der = Buffer.from(assembleCertificate(tbs, await signer.sign(tbs), signer.hash));
    return {
      ...subject,
      subjectAlternateName: JSON.stringify(content.requestedNames),
      serialNumber: serial,
      startDate: profile.notBefore,
      expiryDate: profile.notAfter,
      thumbprint: thumbprint(der, "sha1"),
      thumbprintSha256: thumbprint(der, "sha256"),
      keyIdentity: keyIdentityOf(readPublicKey(spkiDer)),
      publicKeySha256: sha256Hex(spkiDer),
      certificateProfile: JSON.stringify(profile),
      tbsCertificate: Buffer.from(tbs),
      der,
    };
  };
}
