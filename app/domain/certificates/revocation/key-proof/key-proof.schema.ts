import { z } from "zod";
import { optionalText } from "~/lib/fields";

/** The form that proves the possession of a private key. The server reads the CSR itself, which can be a file. */
export const keyProofSchema = z.object({
  challenge: optionalText(100),
  signature: optionalText(4_000),
  publicKey: optionalText(10_000),
});

export type KeyProofForm = z.infer<typeof keyProofSchema>;
