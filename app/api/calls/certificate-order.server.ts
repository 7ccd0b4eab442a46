import { z } from "zod";
import { type CsrDetails } from "~/domain/certificates/request/csr-import.schema";
import { refusedCsr } from "~/domain/certificates/request/csr-import.service.server";
import { leftOutText } from "~/domain/certificates/request/csr-text";
import { decodeCsr } from "~/domain/certificates/succession/successor-csr.server";
import { requesterOf } from "~/domain/keys/key-rules.server";
import { findDiscount } from "~/domain/orders/promotion.service.server";
import { asLines } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { brokenRules } from "../broken-rules";
import { call, group, Reply } from "../call";
import { alternateNames, toAlternateNames } from "../subject-names";
import { nothing } from "../wire";

/** The details that the order form takes from a CSR (PUR-03). */
export const decodedCsr = z.object({
  commonName: z.string(),
  organisation: z.string(),
  organisationUnit: z.string(),
  city: z.string(),
  state: z.string(),
  country: z.string(),
  email: z.string(),
  deviceSerialNumber: z.string().describe("The OFTP ID that the CSR states; empty when it states none"),
  subjectAlternateName: alternateNames(),
});

/** Returns the details of a CSR as calls name them. */
export const toDecoded = ({
  alternativeNames,
  serialNumber,
  ssid,
  ...details
}: CsrDetails): z.input<typeof decodedCsr> => ({
  ...details,
  deviceSerialNumber: serialNumber || (ssid ?? ""),
  subjectAlternateName: toAlternateNames(alternativeNames),
});

/** The calls that give information before an order. */
export const certificateOrderCalls = group("Certificates", [
  call({
    path: "certificates/GetCertificatePrice",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The price of a certificate for one year, in euro without VAT",
    failure: "IMP0B01E",
    input: nothing,
    output: z.number(),
    handle: () => Promise.resolve(getConfig().prices.certificatePerYearCents / 100),
  }),
  call({
    path: "certificates/DecodeCsrWithValidation",
    method: "POST",
    who: "user",
    clients: "read",
    summary: "Decodes a CSR and says whether a certificate can be ordered with it",
    notes:
      "When the CSR is refused, `item1` is null and `item2` gives the reason for each rule that it breaks, a line for each. Nothing is stored. `responseText` names what the CSR states but no certificate of this CA contains, such as an alternative name of the kind otherName.",
    failure: "IMP0B01E",
    input: z
      .object({
        csr: z.string().describe("PKCS#10 as PEM, or base64 of the DER"),
        checkUniqueness: z
          .boolean()
          .nullish()
          .describe("Also refuse a key that belongs to any certificate or order already, as a renewal does"),
      })
      .strict(),
    output: z.object({
      item1: decodedCsr.nullable().describe("What the CSR asks for; null when it is refused"),
      item2: z.string().describe("Error message; empty when the CSR is accepted"),
      rules: brokenRules().optional(),
    }),
    handle: async ({ csr, checkUniqueness }, { user }) => {
      const decoded = await decodeCsr(csr, checkUniqueness ?? false, requesterOf(user));
      if (!decoded.ok && decoded.retryAfter !== undefined) throw refusedCsr(decoded, { code: "csr" });
      if (!decoded.ok)
        return { item1: null, item2: asLines(decoded.messages), ...(decoded.rules && { rules: decoded.rules }) };
      return new Reply({ item1: toDecoded(decoded.details), item2: "" }, leftOutText(decoded.details.leftOut));
    },
  }),
  call({
    path: "certificates/GetDiscountByPromoCode",
    method: "GET",
    who: "place-orders",
    clients: "write",
    summary: "What a promotion code is worth, in euro",
    notes: "0 for a code that is not known, not valid any more, or not 9 or 10 characters long.",
    failure: "IMP0B01E",
    input: z.object({ promoCode: z.string().max(50) }).strict(),
    output: z.object({
      item1: z.number().describe("Discount in euro"),
      item2: z.boolean().describe("The code was used already"),
    }),
    handle: async ({ promoCode }, { user }) => {
      const { discountCents, isUsed } = await findDiscount(user.id, promoCode.trim());
      return { item1: discountCents / 100, item2: isUsed };
    },
  }),
]);
