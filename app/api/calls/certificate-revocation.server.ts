import { z } from "zod";
import { findRevocationState } from "~/domain/certificates/revocation/form.server";
import { instantOf, REVOCATION_REASONS, UNSPECIFIED } from "~/domain/certificates/revocation/reasons";
import { revocationSchema } from "~/domain/certificates/revocation/revocation.schema";
import { findOfOthers, revokeCertificate } from "~/domain/certificates/revocation/revocation.service.server";
import { isPortalError, notFound } from "~/lib/errors";
import { call, group, type SignedCaller } from "../call";
import { answeredReason, answeredStatus } from "../certificate-words";
import { check, type WireNames } from "../check";
import { TAKEN_DATES, optionalTimestamp, type WireTimestamp } from "../dates";
import { PROOF_NOTE, requireCallProof } from "../step-up.server";
import { id, LARGEST_WIRE_ID, nothing, queryNumber, textBy, toWireTimestamp, wireTimestamp } from "../wire";

const REASONS = REVOCATION_REASONS.map((one) => `${one.id} ${one.description}`).join(", ");

const request = z
  .object({
    certificateId: id(),
    reasonTypeId: z
      .number()
      .int()
      .nullish()
      .openapi({
        enum: [...REVOCATION_REASONS.map((one) => one.id), null],
        description: `${REASONS}. Required for a revocation`,
      }),
    revocationDate: optionalTimestamp().describe(
      `${TAKEN_DATES}; now when omitted, or when it is today without a time or at midnight. A time in the past is since when the certificate is not to be trusted; a time in the future is when it will be revoked. Both must lie within its validity, from its \`startDate\` to its \`endDate\`. A scheduled revocation can only be brought forward`,
    ),
    description: textBy(revocationSchema.innerType().shape.revocationDescription, {
      description: `Required with the reason ${UNSPECIFIED}`,
    }),
  })
  .strict();

type RevocationRequest = z.output<typeof request>;

const NAMES: WireNames = {
  revocationReason: "reasonTypeId",
  revocationDescription: "description",
  revocationTime: "revocationDate",
};

/** Returns the date and time in the format of the form. Without a date, and for today without a time or at midnight, it is now. */
function splitTimestamp(
  given: WireTimestamp | null,
  now: Date,
): { revocationDate: string; revocationTime: string; loadedAt?: string } {
  const [present, today] = [now.toISOString().slice(0, 19), now.toISOString().slice(0, 10)];
  const { day, time } = { day: given?.day ?? today, time: given?.time ?? "00:00:00" };
  if (day === today && time === "00:00:00")
    return { revocationDate: today, revocationTime: present.slice(11), loadedAt: present };
  return { revocationDate: day, revocationTime: time };
}

const form = z.object({
  email: z.string().describe("In the certificate"),
  commonName: z.string(),
  serialNumber: z.string().describe("Hexadecimal pairs with colons"),
  startDate: wireTimestamp(),
  endDate: wireTimestamp(),
  emailAddress: z.string().describe("Of the caller's account"),
  telephoneNumber: z.string(),
  revocationReason: answeredReason(),
  revocationDescription: z.string(),
  revocationDate: wireTimestamp().describe("When it was, or is to be, revoked"),
});

const outcome = z.object({
  error: z.string().describe("What went wrong, or why it cannot be revoked; empty when nothing is wrong"),
  succeeded: z
    .boolean()
    .describe("After a revocation: it was done or scheduled. After a query: the certificate is revoked"),
  certificateStatus: answeredStatus(),
  state: form.nullable().describe("In answer to a request with `certificateId` only"),
});

type Outcome = z.input<typeof outcome>;

async function stateOf({ certificateId }: RevocationRequest, { user }: SignedCaller): Promise<Outcome> {
  const found = await findRevocationState(user, certificateId);
  if (!found) throw notFound();
  const { barrier, certificateStatus, certificate, revocation } = found;
  const { email, startDate, endDate, ...rest } = certificate;
  return {
    error: barrier ?? "",
    succeeded: certificateStatus === "Revoked",
    certificateStatus,
    state: {
      ...rest,
      email: email ?? "",
      startDate: toWireTimestamp(startDate),
      endDate: toWireTimestamp(endDate),
      revocationReason: revocation?.reason ?? "",
      revocationDescription: revocation?.description ?? "",
      revocationDate: toWireTimestamp(revocation?.revocationDate),
    },
  };
}

async function revoke(input: RevocationRequest, caller: SignedCaller): Promise<Outcome> {
  const { certificateId, reasonTypeId, description, revocationDate } = input;
  if ((reasonTypeId ?? null) === null && description.trim() === "" && revocationDate === null)
    return stateOf(input, caller);
  if (await findOfOthers(certificateId, caller.user)) await requireCallProof(caller.user);
  const now = new Date();
  const typed = {
    revocationReason: reasonTypeId === null || reasonTypeId === undefined ? "" : String(reasonTypeId),
    revocationDescription: description,
    ...splitTimestamp(revocationDate, now),
  };
  const checked = check(revocationSchema, typed, NAMES);
  const order = { certificateId, user: caller.user, reason: checked.revocationReason, date: instantOf(checked, now) };
  try {
    const done = await revokeCertificate({ ...order, description: checked.revocationDescription }, now);
    const certificateStatus = done.isScheduled ? "RequestRevoke" : "Revoked";
    return { error: done.problem ?? "", succeeded: true, certificateStatus, state: null };
  } catch (error) {
    if (!isPortalError(error) || error.status !== 422 || error.field) throw error;
    const { certificateStatus } = await stateOf(input, caller);
    return { error: error.message, succeeded: false, certificateStatus, state: null };
  }
}

const reason = z.object({
  id: z
    .number()
    .int()
    .openapi({ enum: REVOCATION_REASONS.map((one) => one.id) }),
  description: answeredReason(),
});

export const certificateRevocationCalls = group("Certificates", [
  call({
    path: "certificates/revoke",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Revokes a certificate, or returns its revocation state",
    notes: `With only \`certificateId\`, nothing is revoked: the answer has the state of the certificate and, in \`error\`, why it cannot be revoked. A revocation cannot be undone. When \`succeeded\` is true and \`error\` is not empty, the certificate is revoked, but a CRL or a message is still to follow. An invalid reason, date or description is answered with 422. A certificate of somebody else, by staff: ${PROOF_NOTE[0]?.toLowerCase()}${PROOF_NOTE.slice(1)}`,
    failure: "OCA0F01E",
    refuses: { 404: "There is no such certificate, or it is somebody else's" },
    input: request,
    output: outcome,
    handle: revoke,
  }),
  call({
    path: "certificates/GetRevocationReasons",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The reasons for a revocation",
    failure: "OCA0N01E",
    input: nothing,
    output: z.array(reason),
    handle: () => Promise.resolve([...REVOCATION_REASONS]),
  }),
  call({
    path: "certificates/GetRevocationReasonById",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "One reason",
    failure: "OCA0N01E",
    refuses: { 404: "There is no such reason" },
    input: z.object({ id: queryNumber(0, LARGEST_WIRE_ID).describe(REASONS) }).strict(),
    output: reason,
    handle: ({ id: wanted }) => {
      const found = REVOCATION_REASONS.find((one) => one.id === wanted);
      return found ? Promise.resolve(found) : Promise.reject(notFound());
    },
  }),
]);
