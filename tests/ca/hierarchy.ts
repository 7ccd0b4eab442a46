import { type KeyObject, randomBytes } from "node:crypto";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { type Issuer, readIssuer } from "~/ca/certificate/issuer.server";
import { createIssuingCertificate, createRootCertificate } from "~/ca/hierarchies.server";
import { generateRsaKey, spkiDerOf } from "~/ca/keys.server";
import { prepareResponderCertificate } from "~/ca/ocsp/responder-certificate.server";
import { type SignatureHash, type Signer, softwareSigner } from "~/ca/signer.server";

/** The instant at which the tests run. It has a fraction of a second, which no certificate can express. */
export const NOW = new Date("2026-03-01T10:00:00.500Z");
export const YEAR_LATER = new Date("2027-03-01T10:00:00Z");
export const AT = String(Math.floor(NOW.getTime() / 1000));

export const POLICY = { oid: "2.999.1.2.3", cpsUri: "http://ca.example/cps.pdf" };
export const URLS = {
  crl: "http://ca.example/issuing.crl",
  freshestCrl: "http://ca.example/delta.crl",
  ocsp: "http://ca.example/ocsp",
  caIssuers: "http://ca.example/issuing.cer",
};
export const ROOT_URLS = { crl: "http://ca.example/root.crl", caIssuers: "http://ca.example/root.cer" };

export interface TestCa {
  rootKey: KeyObject;
  rootSigner: Signer;
  root: Issuer;
  signer: Signer;
  issuing: Issuer;
}

/** Creates a hierarchy in the same way as the portal does, with keys of `bits` bits. */
export async function createHierarchy(hash: SignatureHash = "sha256", bits = 2048): Promise<TestCa> {
  const [rootPair, issuingPair] = await Promise.all([generateRsaKey(bits), generateRsaKey(bits)]);
  const rootSigner = softwareSigner(rootPair.privateKey, hash);
  const common = { now: NOW, random: randomBytes, signer: rootSigner };
  const root = readIssuer(
    await createRootCertificate({
      ...common,
      subject: { country: "GB", organisation: "Example Association", commonName: "Example Root" },
      spkiDer: spkiDerOf(rootPair.publicKey),
      years: 20,
    }),
  );
  const issuing = readIssuer(
    await createIssuingCertificate({
      ...common,
      issuer: root,
      subject: { country: "GB", organisation: "Example Association", commonName: "Example Issuing CA" },
      spkiDer: spkiDerOf(issuingPair.publicKey),
      years: 10,
      policy: POLICY,
      urls: ROOT_URLS,
    }),
  );
  return {
    rootKey: rootPair.privateKey,
    rootSigner,
    root,
    signer: softwareSigner(issuingPair.privateKey, hash),
    issuing,
  };
}

/** Creates an OCSP responder of this CA with its own key. Its certificate is valid for 30 days. */
export async function createResponder({ issuing: issuer, signer }: Pick<TestCa, "issuing" | "signer">) {
  const { privateKey, publicKey } = await generateRsaKey(2048);
  const { tbs } = prepareResponderCertificate({
    issuer,
    hash: signer.hash,
    subject: { country: "GB", organisation: "Example Association", commonName: "Example OCSP" },
    spkiDer: spkiDerOf(publicKey),
    notBefore: NOW,
    notAfter: new Date(NOW.getTime() + 30 * 86_400_000),
    random: randomBytes,
  });
  return { certificateDer: assembleCertificate(tbs, await signer.sign(tbs), signer.hash), privateKey };
}
