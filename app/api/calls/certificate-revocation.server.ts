import { z } from "zod";
import { findRevocationState } from "~/domain/certificates/revocation-form.server";
import { momentOf, REVOCATION_REASONS } from "~/domain/certificates/revocation-reasons";
import { revocationSchema } from "~/domain/certificates/revocation.schema";
import { revokeCertificate } from "~/domain/certificates/revocation.service.server";
import { isPortalError, notFound } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { call, group, type SignedCaller } from "../call";
import { check, type WireNames } from "../check";
import { id, nothing, text, toWireMoment, wireMoment } from "../wire";

const request = z
  .object({
    certificateId: id(),
    reasonTypeId: z.number().int().nullish().describe("One of certificates/GetRevocationReasons"),
    revocationDate: text().describe(
      "`YYYY-MM-DD` or `YYYY-MM-DDTHH:mm:ssZ`, UTC; left out, or today without a time or at midnight: now. A past moment is the date since when the certificate is not to be trusted, a later one is when it is revoked",
    ),
    description: text().describe("At most 230 characters; needed with the reason Unspecified"),
  })
  .strict();

type RevocationRequest = z.output<typeof request>;

const NAMES: WireNames = {
  revocationReason: "reasonTypeId",
  revocationDescription: "description",
  revocationTime: "revocationDate",
};

/** Day and time of a moment as it travels; what is no moment stays as it is, for the form's rules. */
function splitMoment(given: string, now: Date): { revocationDate: string; revocationTime: string; loadedAt?: string } {
  const [present, today] = [now.toISOString().slice(0, 19), now.toISOString().slice(0, 10)];
  const [, day = given, time = "00:00:00"] = /^(.+?)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?)?$/.exec(given) ?? [];
  const isNow = given === "" || given.startsWith("0001-01-01") || given === "01/01/0001";
  if (isNow || (day === today && /^00:00(:00)?$/.test(time)))
    return { revocationDate: today, revocationTime: present.slice(11), loadedAt: present };
  return { revocationDate: day, revocationTime: time };
}

const form = z.object({
  email: z.string(),
  commonName: z.string(),
  serialNumber: z.string(),
  startDate: wireMoment(),
  endDate: wireMoment(),
  emailAddress: z.string(),
  telephoneNumber: z.string(),
  revocationReason: z.string(),
  revocationDescription: z.string(),
  revocationDate: wireMoment().describe("When it was, or is to be, revoked"),
});

const outcome = z.object({
  error: z.string().describe("What went wrong, or why it cannot be revoked; empty when nothing is wrong"),
  succeeded: z.boolean().describe("Of a revocation: done or scheduled. Of a question: the certificate is revoked"),
  certificateStatus: z.string(),
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
      ...{ ...rest, email: email ?? "", startDate: toWireMoment(startDate), endDate: toWireMoment(endDate) },
      revocationReason: revocation?.reason ?? "",
      revocationDescription: revocation?.description ?? "",
      revocationDate: toWireMoment(revocation?.revocationDate),
    },
  };
}

async function revoke(input: RevocationRequest, caller: SignedCaller): Promise<Outcome> {
  const { certificateId, reasonTypeId, description, revocationDate } = input;
  if ((reasonTypeId ?? null) === null && description.trim() === "" && revocationDate.trim() === "")
    return stateOf(input, caller);
  const now = new Date();
  const typed = {
    revocationReason: reasonTypeId === null || reasonTypeId === undefined ? "" : String(reasonTypeId),
    revocationDescription: description,
    ...splitMoment(revocationDate.trim(), now),
  };
  const checked = check(revocationSchema, typed, NAMES);
  const order = { certificateId, user: caller.user, reason: checked.revocationReason, date: momentOf(checked, now) };
  try {
    const done = await revokeCertificate({ ...order, description: checked.revocationDescription });
    const certificateStatus = done.isScheduled ? "RequestRevoke" : "Revoked";
    return { error: done.problem ?? "", succeeded: true, certificateStatus, state: null };
  } catch (error) {
    if (!isPortalError(error) || error.status !== 422 || error.field) throw error;
    const { certificateStatus } = await stateOf(input, caller);
    return { error: error.message, succeeded: false, certificateStatus, state: null };
  }
}

const reason = z.object({ id: z.number().int(), description: z.string() });

export const certificateRevocationCalls = group("Certificates", [
  call({
    path: "certificates/revoke",
    method: "POST",
    who: "user",
    summary: "Revokes a certificate, or says how it stands",
    notes: `With \`certificateId\` only nothing is revoked: the answer says how the certificate stands and, in \`error\`, why it cannot be revoked.
Revoking cannot be taken back. \`succeeded\` with an \`error\`: revoked, but a list or a message is still on its way. What is wrong with reason,
date or description is answered with 422.`,
    failure: "OCA0F01E",
    input: request,
    output: outcome,
    handle: revoke,
  }),
  call({
    path: "certificates/GetRevocationReasons",
    method: "GET",
    who: "user",
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
    summary: "One reason",
    failure: "OCA0N01E",
    input: z
      .object({
        id: z
          .string()
          .regex(/^\d{1,9}$/, messages.invalid)
          .transform(Number),
      })
      .strict(),
    output: reason,
    handle: ({ id: wanted }) => {
      const found = REVOCATION_REASONS.find((one) => one.id === wanted);
      return found ? Promise.resolve(found) : Promise.reject(notFound());
    },
  }),
]);
