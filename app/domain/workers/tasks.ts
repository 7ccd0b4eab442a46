// The entry of worker threads (build/worker.js). Tasks get and return plain data: they reach neither the database nor the configuration.
import { constants, setPriority } from "node:os";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { auditCaCertificate } from "~/ca/certificate/stored-ca.server";
import { type AuditPolicy, auditStored, type StoredCertificate } from "~/ca/certificate/stored.server";
import { auditStoredCrl } from "~/ca/crl/stored.server";
import { checkKey, type KeyPolicy } from "~/ca/csr/check-key.server";
import { type CsrPolicy, checkCsr } from "~/ca/csr/check.server";
import { type Csr, modulusOf, readCsr } from "~/ca/csr/read.server";
import { haveFactorIn, makePrimeProducts } from "~/ca/csr/small-factors.server";
import { proveProduct, suspectsAmong } from "~/ca/csr/weak-rsa.server";
import { type PlainRequest, prepareLinted } from "~/ca/lint/prepared.server";
import { bigIntOf } from "~/lib/big-integer";
import { writtenPdf } from "~/lib/pdf/written-document.server";
import { invoicePdf } from "../orders/invoices/invoice-document.server";

// On Linux this is the priority of the thread alone, so requests are served before this work.
if (process.argv.includes("--low-priority")) setPriority(constants.priority.PRIORITY_LOW);

/** Does the same as `checkCsr`, whose tests of large keys take up to 0.2 s. */
const csrRefusals = ({ csr, policy }: { csr: Csr; policy: CsrPolicy }) => checkCsr(csr, policy);

/** Reads stored CSRs. Returns for each what `readCsr` does, with a sentence for each rule that its key breaks. */
const readKeys = ({ csrs, policy }: { csrs: readonly Uint8Array[]; policy: KeyPolicy }) =>
  csrs.map((csr) => {
    const read = readCsr(csr);
    const broken = read.ok ? checkKey(read.csr.publicKey, policy).map(({ message }) => message) : [];
    return { read, broken };
  });

/** Prepares certificates. Returns null for one that cannot be prepared: whoever prepares it again gets the error. */
const prepareCertificates = (requests: readonly PlainRequest[]) =>
  requests.map((request) => {
    try {
      return prepareLinted(request);
    } catch {
      return null;
    }
  });

/** Audits stored certificates, each as `auditStored` does. */
const auditCertificates = ({ stored, policy }: { stored: readonly StoredCertificate[]; policy: AuditPolicy }) =>
  stored.map((one) => auditStored(one, policy));

/** Reads when certificates end, as ISO timestamps. Null for one that cannot be read. */
const readEnds = (certificates: readonly Uint8Array[]): (string | null)[] =>
  certificates.map((der) => {
    try {
      return parseCertificate(der).notAfter.toISOString();
    } catch {
      return null;
    }
  });

/** Does the same as `proveProduct` with a stored product and the CSRs whose moduli it should contain. */
const proveProductOf = ({ stored, csrs }: { stored: Uint8Array; csrs: readonly Uint8Array[] }) =>
  proveProduct(bigIntOf(Buffer.from(stored)), csrs.map(modulusOf));

export {
  auditCaCertificate,
  auditCertificates,
  auditStoredCrl,
  csrRefusals,
  haveFactorIn,
  invoicePdf,
  makePrimeProducts,
  prepareCertificates,
  proveProductOf,
  readEnds,
  readKeys,
  suspectsAmong,
  writtenPdf,
};
