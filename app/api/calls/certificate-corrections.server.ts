import { z } from "zod";
import { USAGE_FLAGS, type UsageFlag } from "~/domain/certificates/purchase/fields";
import { readSentCsr } from "~/domain/certificates/request/sent-csr.server";
import { NOT_CORRECTABLE } from "~/domain/certificates/succession/correctable.server";
import { CORRECTIONS_PER_CERTIFICATE, SUPERSEDED_AFTER_DAYS } from "~/domain/certificates/succession/correction.policy";
import { certificateCorrectionSchema } from "~/domain/certificates/succession/correction.schema";
import { orderCorrection, usageToCorrect } from "~/domain/certificates/succession/correction.service.server";
import { CORRECTION_DAYS } from "~/domain/orders/corrections/corrections.policy";
import { placeOnce } from "~/domain/orders/keyed-order.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { call, group, type SignedCaller } from "../call";
import { atFields, check } from "../check";
import { IDEMPOTENCY_NOTES, idempotencyHeader, orderKeyOf, placedOrder } from "../idempotency.server";
import { id, textBy } from "../wire";

const flag = (name: string) => z.boolean().nullish().describe(`${name}; as in the certificate when omitted`);

const correction = z
  .object({
    certificateId: id().describe("The certificate to correct"),
    csr: textBy(certificateCorrectionSchema.innerType().shape.csr, {
      description: "PKCS#10 of a new key as PEM, or base64 of the DER, with the corrected host",
      isRequired: true,
    }),
    hasSecureSession: flag("TLS"),
    hasEmail: flag("Email"),
    hasEncryption: flag("Encryption"),
    hasFileSigning: flag("File signing"),
  })
  .strict();

const CORRECT = "certificates/CorrectCertificate";

/** The field of the request that an error of the domain is about, beside those that name one. */
const FIELDS = { [NOT_CORRECTABLE]: "certificateId" };

/** Returns the usage of the corrected certificate: what the request says, and otherwise that of the certificate. */
function usageIn(input: z.output<typeof correction>, usage: readonly UsageFlag[]) {
  return Object.fromEntries(USAGE_FLAGS.map((name) => [name, input[name] ?? usage.includes(name)]));
}

const correctCertificate = (input: z.output<typeof correction>, caller: SignedCaller) =>
  placeOnce(orderKeyOf(caller, CORRECT, input), (claim) =>
    atFields(FIELDS, async () => {
      const usage = await usageToCorrect(input.certificateId, caller.user);
      const form = check(certificateCorrectionSchema, { csr: input.csr, ...usageIn(input, usage) });
      const { csr, isMissing } = readSentCsr({ csr: form.csr, file: null });
      if (isMissing) throw new PortalError(messages.required, { code: "csr", field: "csr" });
      return orderCorrection(input.certificateId, { csr, usage: form.usage }, caller.user, { claim });
    }),
  );

export const certificateCorrectionCalls = group("Certificates", [
  call({
    path: CORRECT,
    method: "POST",
    who: "place-orders",
    clients: "write",
    summary: "Orders a certificate again with another host or usage, free of charge",
    notes: `Within ${CORRECTION_DAYS} days of the issue, at most ${CORRECTIONS_PER_CERTIFICATE} times. Hosts must be below the domains that the company has confirmed; organisation, place, country and OFTP ID stay the same. The order passes the checks of every order. The corrected certificate is revoked as superseded once the new one has been downloaded, at the latest ${SUPERSEDED_AFTER_DAYS} days after its issue.\n\n${IDEMPOTENCY_NOTES}`,
    failure: "CIA0101E",
    headers: idempotencyHeader,
    refuses: {
      404: "There is no such certificate, or it is somebody else's",
      422: "The certificate cannot be corrected now, nothing differs from it, or a field is not valid",
    },
    input: correction,
    output: placedOrder,
    handle: correctCertificate,
  }),
]);
