import { z } from "zod";
import { type BrokenRule } from "~/lib/broken-rule";

/** What a CSR asks for, as the page shows it after the import (PUR-03). A field is empty when the CSR does not state it. */
export const csrDetailsSchema = z.object({
  commonName: z.string(),
  organisation: z.string(),
  organisationUnit: z.string(),
  serialNumber: z.string(),
  city: z.string(),
  state: z.string(),
  country: z.string(),
  email: z.string(),
  alternativeNames: z.array(z.object({ type: z.string(), value: z.string() })),
  keyAlgorithm: z.string(),
  keySize: z.number(),
  /** SHA-256 of the SubjectPublicKeyInfo in hex pairs, as `openssl dgst -sha256 -c` writes it. */
  keyFingerprint: z.string(),
  /** The OFTP ID that the CSR states, or null. */
  ssid: z.string().nullable(),
  /** Descriptions of what the CSR asks for but no certificate of this CA contains. */
  leftOut: z.array(z.string()).default([]),
});

export type CsrDetails = z.infer<typeof csrDetailsSchema>;

/** The details as a page shows them. */
export interface ShownCsr extends CsrDetails {
  /** The alternative names that the certificate will have, under their captions. */
  names: { caption: string; values: string[] }[];
  /** What the certificate will not have, and what partners may not understand. */
  marks: BrokenRule[];
}
