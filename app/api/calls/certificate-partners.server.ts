import { z } from "zod";
import { type SessionUser } from "~/domain/accounts/session-user";
import { setPartnersOfRenewals } from "~/domain/certificates/partners/following.service.server";
import { MOST_PARTNERS, MOST_SWITCH_DAYS, PARTNER_STATES } from "~/domain/certificates/partners/partners-fields";
import { addPartnersSchema, publishSchema } from "~/domain/certificates/partners/partners.schema";
import {
  addPartners,
  copyPartners,
  findPartners,
  removePartner,
} from "~/domain/certificates/partners/partners.service.server";
import { publishToPartners } from "~/domain/certificates/partners/publishing.service.server";
import { notFound } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { call, group } from "../call";
import { check } from "../check";
import { id, queryId, text, toWireTimestamp, wireTimestamp } from "../wire";

const partner = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().nullable().describe("Null for an entity of the register, whose owner’s address is not shown"),
  code: z.string().nullable().describe("The code of an entity of the register, otherwise null"),
  state: z.enum(PARTNER_STATES),
  sentAt: wireTimestamp(),
  openedAt: wireTimestamp().describe(
    "When the page of the partner was first opened, which can be a program that checks messages",
  ),
  answeredAt: wireTimestamp(),
  reminders: z.number().int().describe("How often the partner was reminded"),
  remindedAt: wireTimestamp(),
  question: z.string().nullable(),
});

const followed = z.object({
  certificateId: z.number().int(),
  publishedAt: wireTimestamp().describe("When messages were sent last; `0001-01-01T00:00:00` when none ever was"),
  cutOverOn: z.string().nullable().describe("The planned day of the switch, `yyyy-MM-dd`"),
  confirmed: z.number().int().describe("How many partners have imported the certificate"),
  expected: z.number().int().describe("How many have to; those who say that it is not theirs do not"),
  isSafeToSwitch: z.boolean(),
  switchDays: z
    .number()
    .int()
    .nullable()
    .describe(
      "How many days after its issue the switch to a renewal is planned, which is published by itself; null when somebody publishes it",
    ),
  partners: z.array(partner),
});

const MISSING = "There is no such certificate, or it is somebody else's";
const ROLE = "The role of the caller in the company does not allow it (`company.role`)";

async function stateOf(user: SessionUser, certificateId: number): Promise<z.input<typeof followed>> {
  const page = await findPartners(user, certificateId);
  if (!page) throw notFound();
  const { readiness, partners, publishedAt, cutOverOn, switchDays } = page;
  return {
    certificateId,
    publishedAt: toWireTimestamp(publishedAt),
    cutOverOn,
    confirmed: readiness.confirmed,
    expected: readiness.expected,
    isSafeToSwitch: readiness.isSafe,
    switchDays,
    partners: partners.map((one) => ({
      ...one,
      sentAt: toWireTimestamp(one.sentAt),
      openedAt: toWireTimestamp(one.openedAt),
      answeredAt: toWireTimestamp(one.answeredAt),
      remindedAt: toWireTimestamp(one.remindedAt),
    })),
  };
}

export const certificatePartnersCalls = group("Certificates", [
  call({
    path: "Certificates/GetPartners",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The partners of a certificate, what they have answered, and whether it is safe to switch",
    input: z.object({ certificateId: queryId() }).strict(),
    refuses: { 404: MISSING },
    output: followed,
    handle: async ({ certificateId }, { user }) => stateOf(user, certificateId),
  }),
  call({
    path: "Certificates/AddPartners",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Adds partners to a certificate",
    notes: `For members with the role Owner, Purchaser or Technical. Partners that the certificate has already stay as they are. When one is wrong, none is added. A renewal or replacement begins with the partners of the earlier certificate.`,
    refuses: { 403: ROLE, 404: MISSING },
    input: z
      .object({
        certificateId: id(),
        partners: z
          .array(z.string({ invalid_type_error: messages.invalid }))
          .describe(
            `At most ${MOST_PARTNERS} for a certificate. Each an email address or the code of an entity of the register, then a comma and a name if you like`,
          ),
      })
      .strict(),
    output: followed,
    handle: async ({ certificateId, partners }, { user }) => {
      const form = check(addPartnersSchema, {
        partners: partners.map((line) => line.replaceAll(/[\r\n]+/g, " ")).join("\n"),
      });
      await addPartners(user, certificateId, form.partners);
      return stateOf(user, certificateId);
    },
  }),
  call({
    path: "Certificates/CopyPartners",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Adds the partners of another certificate of the company",
    notes:
      "For members with the role Owner, Purchaser or Technical. Those who said that the other certificate is not theirs are left out, and those whom this certificate has already stay as they are.",
    refuses: {
      403: ROLE,
      404: MISSING,
      422: "The other certificate has no partners or is of another company, or there would be too many (`certificate.partners`)",
    },
    input: z
      .object({ certificateId: id(), from: id().describe("The certificate whose partners are taken over") })
      .strict(),
    output: followed,
    handle: async ({ certificateId, from }, { user }) => {
      await copyPartners(user, certificateId, from);
      return stateOf(user, certificateId);
    },
  }),
  call({
    path: "Certificates/SetPartnersOfRenewals",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Chooses whether renewals of a certificate are published to its partners by themselves",
    notes: `For members with the role Owner, Purchaser or Technical whose own address is confirmed. A renewal or replacement is then published as soon as it is issued, whichever way it was ordered, and the choice moves to it.`,
    refuses: { 403: ROLE, 404: MISSING },
    input: z
      .object({
        certificateId: id(),
        switchDays: z
          .number({ invalid_type_error: messages.invalid })
          .int()
          .min(1)
          .max(MOST_SWITCH_DAYS)
          .optional()
          .describe("How many days after the issue of a renewal its switch is planned. Without it, the choice ends"),
      })
      .strict(),
    output: followed,
    handle: async ({ certificateId, switchDays }, { user }) => {
      await setPartnersOfRenewals(user, certificateId, switchDays ?? null);
      return stateOf(user, certificateId);
    },
  }),
  call({
    path: "Certificates/RemovePartner",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Removes a partner of a certificate",
    notes: "For members with the role Owner, Purchaser or Technical. The links that were sent to the partner end.",
    refuses: { 403: ROLE, 404: MISSING },
    input: z.object({ certificateId: id(), partnerId: id().describe("`id` of Certificates/GetPartners") }).strict(),
    output: followed,
    handle: async ({ certificateId, partnerId }, { user }) => {
      await removePartner(user, certificateId, partnerId);
      return stateOf(user, certificateId);
    },
  }),
  call({
    path: "Certificates/PublishToPartners",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Sends a certificate to those of its partners who have no message yet",
    notes: `For members with the role Owner, Purchaser or Technical whose own address is confirmed. Each partner gets a message with a link to a page with the certificate, on which the partner answers. Partners who have had too many messages today stay in the state \`Not sent\`.`,
    refuses: { 403: ROLE, 404: MISSING, 422: "There is nobody to write to (`certificate.publish`)" },
    input: z
      .object({
        certificateId: id(),
        cutOverOn: text().describe("The planned day of the switch, `yyyy-MM-dd`"),
      })
      .strict(),
    output: followed,
    handle: async ({ certificateId, cutOverOn }, { user }) => {
      await publishToPartners(user, certificateId, check(publishSchema, { cutOverOn }));
      return stateOf(user, certificateId);
    },
  }),
]);
