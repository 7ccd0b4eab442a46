import { randomBytes } from "node:crypto";
import { checkIssuedCertificate } from "~/ca/certificate/check.server";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { type CertificateRequest, prepareCertificate } from "~/ca/certificate/prepare.server";
import { type UsageFlags } from "~/ca/certificate/usage.server";
import { type Csr, readCsr } from "~/ca/csr/read.server";
import { toPem } from "~/ca/pem.server";
import { type CsrOptions, openssl, useOpenssl } from "../support/openssl";
import { createHierarchy, NOW, POLICY, type TestCa, URLS, YEAR_LATER } from "./hierarchy";

const ALL: UsageFlags = { hasSecureSession: true, hasEmail: true, hasEncryption: true, hasFileSigning: true };

const SUBJECT =
  "/C=DE/ST=Bayern/L=München/O=Acme GmbH/OU=EDI/CN=oftp.acme.example/serialNumber=O0177ABCD000000/emailAddress=edi@acme.example";
const SAN = [
  "DNS:OFTP.acme.example",
  "DNS:b.acme.example",
  "DNS:b.acme.example",
  "IP:10.0.0.1",
  "IP:2001:db8::ff",
  "email:edi@acme.example",
  "URI:https://acme.example/x",
  "URI:oftp://O0177ABCD000000",
  "RID:1.2.3.4",
];

export const textOf = (der: Uint8Array): string =>
  openssl(["x509", "-noout", "-text", "-nameopt", "oneline,utf8,-esc_msb"], toPem("CERTIFICATE", der));

/** Returns criticality and value of every extension by name, from OpenSSL's text with white space collapsed. */
export function extensionsOf(der: Uint8Array): Record<string, string> {
  const [, block = ""] = /X509v3 extensions:\n([\s\S]*?)\n {4}Signature Algorithm/.exec(textOf(der)) ?? [];
  const parts = block.split(/^ {12}(?=\S)/m).slice(1);
  return Object.fromEntries(
    parts.map((part) => {
      const [, name = "", critical = "", value = ""] = /^(.*?): ?(critical)?\s*\n([\s\S]*)$/.exec(part) ?? [];
      return [name, `${critical} ${value}`.replace(/\s+/g, " ").trim()];
    }),
  );
}

/** Creates a CA, and CSRs of one key for which it issues certificates. Call it once at the top of the file. */
export async function useIssuing() {
  const files = useOpenssl();
  const keyFile = files.makeRsaKey();
  const ca = await createHierarchy();

  /** Returns a CSR with every field, unless the options replace them. */
  function csrOf(options: CsrOptions = {}): Csr {
    const result = readCsr(files.makeCsr({ keyFile, subject: SUBJECT, san: SAN, ...options }).der);
    if (!result.ok) throw new Error(result.message);
    return result.csr;
  }

  const full = csrOf();

  function requestOf(csr: Csr = full, changes: Partial<CertificateRequest> = {}): CertificateRequest {
    return {
      issuer: ca.issuing,
      hash: "sha256",
      subject: csr.subject,
      ssid: csr.ssid,
      requestedNames: csr.subjectAlternateName,
      spkiDer: csr.spkiDer,
      usage: ALL,
      policy: POLICY,
      urls: URLS,
      notAfter: YEAR_LATER,
      now: NOW,
      random: randomBytes,
      ...changes,
    };
  }

  async function issue(request: CertificateRequest = requestOf(), { signer, issuing }: TestCa = ca) {
    const prepared = prepareCertificate(request);
    const der = assembleCertificate(prepared.tbs, await signer.sign(prepared.tbs), signer.hash);
    checkIssuedCertificate(der, issuing, prepared);
    return { der, prepared };
  }

  return { ...files, keyFile, ca, csrOf, full, requestOf, issue };
}
