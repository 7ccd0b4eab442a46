import { z } from "zod";
import { type Preflight, preflightCsr } from "~/domain/certificates/preflight/preflight.service.server";
import { USAGE_FLAGS } from "~/domain/certificates/purchase/fields";
import { chosenUsage } from "~/domain/certificates/purchase/order-form.schema";
import { readCsrInput } from "~/domain/certificates/request/csr-import.service.server";
import { brokenRules } from "../broken-rules";
import { call, group } from "../call";
import { check } from "../check";
import { decodedCsr, toDecoded } from "./certificate-order.server";

const flag = () => z.boolean().nullish();

const lints = z.array(
  z.object({
    lint: z.string().describe("Stable name of the lint, such as `serial-length`"),
    source: z.string().describe("Standard or policy behind it, with its section"),
    severity: z.enum(["error", "warning"]).describe("An `error` keeps the certificate from being issued"),
    text: z.string(),
  }),
);

const certificateField = z.object({
  name: z.string(),
  isCritical: z.boolean().nullable().describe("Whether the extension is critical; null for other fields"),
  values: z.array(z.string()),
});

const toChecked = ({ csr, ...preflight }: Preflight) => ({
  isAccepted: preflight.rules.length === 0,
  ...preflight,
  csr: csr && {
    ...toDecoded(csr),
    keyAlgorithm: csr.keyAlgorithm,
    keySize: csr.keySize,
    keyFingerprint: csr.keyFingerprint,
    signatureAlgorithm: csr.signatureAlgorithm,
  },
});

/** The call that judges a CSR for everybody. */
export const checkCsrCalls = group("Certificates", [
  call({
    path: "certificates/CheckCsr",
    method: "POST",
    who: "anyone",
    summary: "Says whether an order would take a CSR, and which certificate would come out",
    notes:
      "The answer is that of the page /check-csr. The rules are those of an order, except for those about the keys of other subscribers: whether a certificate or an order has the key already, and whether the key shares a prime factor with another one. Nothing is known of a company either, so `marks` lists the domains and mailboxes that the company has to confirm, except where the configuration does not ask for that. Nothing is stored.",
    input: z
      .object({
        csr: z.string().describe("PKCS#10 as PEM, or base64 of the DER"),
        hasSecureSession: flag().describe("TLS; true when omitted, like the next three. At least one is required"),
        hasEmail: flag(),
        hasEncryption: flag(),
        hasFileSigning: flag(),
      })
      .strict(),
    output: z.object({
      isAccepted: z.boolean().describe("Whether the CSR breaks none of these rules"),
      csr: decodedCsr
        .extend({
          keyAlgorithm: z.string(),
          keySize: z.number().describe("Bits of the RSA modulus or of the field of the curve"),
          keyFingerprint: z.string().describe("SHA-256 of the SubjectPublicKeyInfo"),
          signatureAlgorithm: z.string(),
        })
        .nullable()
        .describe("What the CSR states; null when it cannot be read"),
      rules: brokenRules(),
      marks: brokenRules().describe("What is not refused, but marked for the customer and for staff"),
      lints: lints.describe("What the lints find in the certificate"),
      certificate: z
        .array(certificateField)
        .nullable()
        .describe("The fields of the certificate; null for a refused CSR, and when no CA can issue it now"),
    }),
    handle: async ({ csr, ...flags }, { address }) => {
      const chosen = USAGE_FLAGS.filter((name) => flags[name] ?? true);
      const { usage } = check(z.object({ usage: chosenUsage }), { usage: chosen }, { usage: "hasSecureSession" });
      return toChecked(await preflightCsr(readCsrInput(csr), usage, address));
    },
  }),
]);
