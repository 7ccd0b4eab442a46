import { type Csr } from "~/ca/csr/read.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { type LintFinding } from "~/ca/lint/lint.server";
import { findIssuer } from "~/domain/authorities/authorities.service.server";
import { publicKeyRefusals } from "~/domain/keys/key-rules.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { inWorker } from "~/domain/workers/pool.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { newContent, requestFrom } from "../issuing/issuance-request.server";
import { type UsageFlag, usageFlags, VALIDITY_YEARS } from "../purchase/fields";
import { controlForVisitor } from "../request/confirmed-names.server";
import { type ShownCsr } from "../request/csr-import.schema";
import {
  csrDetailsOf,
  type CsrInput,
  shownCsr,
  uncachedVerdict,
  unreadableRule,
} from "../request/csr-import.service.server";
import { explainRefusals } from "../request/explained-rules.server";
import { limitRulesOfNew } from "../request/issuer-limit-rules.server";
import { withVisibleTexts } from "../request/visible-texts";
import { type CertificateField, listCertificateFields } from "./certificate-fields.server";

/** A CSR that was read, whether it is accepted or not. Characters that cannot be seen are shown as their code points. */
export interface JudgedRequest extends Omit<ShownCsr, "marks"> {
  signatureAlgorithm: string;
}

/** What an order with a CSR would come to. */
export interface Preflight {
  /** What the CSR states, or null when it cannot be read. */
  csr: JudgedRequest | null;
  /** Each rule that the CSR breaks. An order takes a CSR that breaks none. */
  rules: BrokenRule[];
  /** What is not refused but marked for the customer and for staff. */
  marks: BrokenRule[];
  /** What the lints find in the certificate, for staff to look at. */
  lints: LintFinding[];
  /** The fields of the certificate that would come out. Null for a refused CSR, and when no CA can issue the certificate now. */
  certificate: CertificateField[] | null;
}

/** Returns the refusals that anybody may see. The key is looked up only for a CSR that proves the possession of the private key. */
async function publicRefusals(csr: Csr) {
  const verdict = await uncachedVerdict(csr);
  const isProved = verdict.every(({ code }) => !code.startsWith("key-") && !code.startsWith("signature-"));
  return isProved ? [...verdict, ...(await publicKeyRefusals(csr))] : verdict;
}

/** Returns what the CA that issues now would make of an acceptable CSR, and what the lints find in it. The work is done in a worker thread. */
async function certificateToBe(
  csr: Csr,
  chosen: readonly UsageFlag[],
  now: Date,
): Promise<Pick<Preflight, "certificate" | "lints">> {
  const authority = await findIssuer(getDb(), getConfig().certificates.hierarchy, now);
  if (!authority) return { certificate: null, lints: [] };
  const { ssid, spkiDer } = csr;
  const usage = usageFlags(chosen);
  const requests = VALIDITY_YEARS.map((years) =>
    requestFrom({ ssid, spkiDer, usage, ...newContent(csr, years, now) }, authority, now),
  );
  const made = await inWorker("prepareCertificates", requests);
  const [first] = made;
  if (!first) return { certificate: null, lints: [] };
  const choices = made.flatMap((one, index) =>
    one ? [{ years: VALIDITY_YEARS[index] as number, notAfter: one.prepared.profile.notAfter }] : [],
  );
  return {
    certificate: listCertificateFields(first.prepared, HIERARCHIES[authority.hierarchy].hash, choices),
    lints: first.findings,
  };
}

/**
 * Judges a CSR for somebody without an account, by the rules of an order. Stores and records nothing, and keeps nothing of the CSR for
 * later. It does not say whether somebody else has the key or a key with the same prime: docs/decisions/0084 names what is not judged.
 *
 * @param usage The usage attributes of the certificate, at least one.
 * @param network The network of the visitor, whose tries are counted. Throws a PortalError (429) when there were too many.
 */
export async function preflightCsr(
  { read, kind }: CsrInput,
  usage: readonly UsageFlag[],
  network: string,
  now = new Date(),
): Promise<Preflight> {
  await consumeTry("preflight-address", network);
  if (!read.ok || kind === "private-key")
    return { csr: null, rules: [unreadableRule({ read, kind })], marks: [], lints: [], certificate: null };
  const { csr } = read;
  const stated = csrDetailsOf(csr);
  const { marks: own, ...details } = shownCsr(stated, { oftpid: "", usage: [...usage], isRenewal: false });
  const refusals = explainRefusals(await publicRefusals(csr));
  // The name of a refused CSR may be one that cannot be written into a certificate.
  const control = refusals.length > 0 ? { rules: refusals, marks: [] } : controlForVisitor(stated);
  const limits = refusals.length > 0 ? [] : await limitRulesOfNew(csr, { oftpid: "", usage }, now);
  const rules = [...control.rules, ...limits];
  const marks = [...own, ...control.marks];
  return {
    ...withVisibleTexts({ csr: { ...details, signatureAlgorithm: csr.signature.algorithm }, rules, marks }),
    ...(rules.length === 0 ? await certificateToBe(csr, usage, now) : { certificate: null, lints: [] }),
  };
}
