import { z } from "zod";
import { readSentCsr } from "~/domain/certificates/request/sent-csr.server";
import {
  CHALLENGE_LIFE_DAYS,
  challengeEnd,
  keyChallenge,
} from "~/domain/certificates/revocation/key-proof/challenge.server";
import { keyProofSchema } from "~/domain/certificates/revocation/key-proof/key-proof.schema";
import { reportKey, requireKeyProof } from "~/domain/certificates/revocation/key-proof/key-proof.service.server";
import { clientOf } from "~/http/client.server";
import { call, group } from "../call";
import { check } from "../check";
import { nothing, textBy, toWireTimestamp, wireTimestamp } from "../wire";

const { challenge, signature, publicKey } = keyProofSchema.shape;

const request = z
  .object({
    csr: z
      .string()
      .nullish()
      .describe("PKCS#10 as PEM, or base64 of the DER. Its common name is the challenge, and the key has signed it"),
    challenge: textBy(challenge, { description: "Without `csr`: the challenge that was signed" }),
    signature: textBy(signature, {
      description:
        "Without `csr`: base64 of the signature over the challenge with SHA-256, PKCS #1 v1.5 or ECDSA in DER",
    }),
    publicKey: textBy(publicKey, { description: "Without `csr`: the certificate or the public key as PEM" }),
  })
  .strict();

const certificate = z.object({
  commonName: z.string(),
  serialNumber: z.string().describe("Hexadecimal pairs with colons"),
  expiryDate: wireTimestamp(),
});

/** The calls that report a private key as compromised, for whoever can prove to have it. */
export const keyReportCalls = group("Certificates", [
  call({
    path: "certificates/GetKeyChallenge",
    method: "GET",
    who: "anyone",
    summary: "The text that a compromised key signs to be reported",
    notes: `It can be used for ${CHALLENGE_LIFE_DAYS} days, and by everybody: a proof that is sent again does no more than the first one.`,
    input: nothing,
    output: z.object({ challenge: z.string().describe("At most 64 characters"), usableUntil: wireTimestamp() }),
    handle: () => {
      const text = keyChallenge();
      return Promise.resolve({ challenge: text, usableUntil: toWireTimestamp(challengeEnd(text)?.toISOString()) });
    },
  }),
  call({
    path: "certificates/ReportKey",
    method: "POST",
    who: "anyone",
    summary: "Reports a private key as compromised and revokes all its certificates",
    notes:
      "Whoever can prove to have a private key can have its certificates revoked, without an account. The proof is a CSR with the challenge of GetKeyChallenge as its common name, or a signature over the challenge. The key is blocked for ever, all its certificates are revoked as compromised, whoever owns them, and their owners and staff are told. This cannot be undone. The certificates are on the published CRLs before the answer; when `problem` is not empty, they are revoked, but the lists are still to follow. A key without certificates is blocked as well. A report of a key that was reported before changes nothing more.",
    refuses: { 422: "The proof is wrong, or the key is that of a CA, which its operators revoke themselves" },
    input: request,
    output: z.object({
      revoked: z.array(certificate).describe("The certificates that this report revoked"),
      problem: z.string().describe("What went wrong after the revocation; empty when nothing did"),
    }),
    handle: async ({ csr, ...signed }, { address, request }) => {
      const { csr: sent, isMissing } = readSentCsr({ csr: csr ?? "", file: null });
      const proof = await requireKeyProof(
        { csr: isMissing ? null : sent, signed: check(keyProofSchema, signed) },
        address,
      );
      const { revoked, problem } = await reportKey(proof, clientOf(request));
      return {
        revoked: revoked.map((one) => ({ ...one, expiryDate: toWireTimestamp(one.expiryDate) })),
        problem: problem ?? "",
      };
    },
  }),
]);
