import { z } from "zod";
import { getErasure, requestErasure, withdrawErasure } from "~/domain/accounts/personal-data/erasure.service.server";
import { exportPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { streamedFile } from "~/http/files.server";
import { call, fileCall, group } from "../call";
import { nothing, queryId, toWireTimestamp, wireTimestamp } from "../wire";

const REFUSES = { 403: "The fresh proof is missing, or an administrator acts as the caller" };

const downloads = group("Downloads", [
  fileCall({
    path: "Users/DownloadPersonalData",
    method: "GET",
    who: "user",
    summary: "Everything that the portal holds about the caller, or about another person for a user administrator",
    notes:
      "Account, companies, sessions, second factors without their secrets, drafts, orders, certificates, codes, invitations, contacts, messages, security events and entries of the audit trail. Until the email address of the account is confirmed, what is found only by the address is left out: contacts in orders and ID codes of others, invitations and messages.",
    needsProof: true,
    refuses: { 404: "There is no such account, or it is somebody else's" },
    input: z.object({ userId: queryId().optional().describe("The caller when omitted") }).strict(),
    output: {
      mediaTypes: ["application/json"],
      schema: z.object({ madeAt: z.string() }).catchall(z.array(z.record(z.unknown()))),
      description: "One array for each kind of data",
    },
    handle: async ({ userId }, { user }) => streamedFile(await exportPersonalData(user, userId ?? user.id)),
  }),
]);

const erasure = group("User registration", [
  call({
    path: "Users/GetErasure",
    method: "GET",
    who: "user",
    summary: "Whether the caller has asked for the erasure of their data, and what must happen before it",
    needsProof: true,
    input: nothing,
    output: z.object({
      requestedAt: wireTimestamp().describe("The null date when the caller has not asked for it"),
      barriers: z.array(z.string()).describe("What must happen first, one sentence each"),
      isEmailConfirmed: z
        .boolean()
        .describe("Whether the email address is confirmed; until then, an erasure leaves what is found only by it"),
      isAskedByStaff: z
        .boolean()
        .describe(
          "Whether user administrators have asked for the erasure for another reason; withdrawing the caller's request does not change that",
        ),
    }),
    handle: async (_, { user }) => {
      const { requestedAt, ...others } = await getErasure(user);
      return { ...others, requestedAt: toWireTimestamp(requestedAt) };
    },
  }),
  call({
    path: "Users/RequestErasure",
    method: "POST",
    who: "user",
    summary: "Asks for the erasure of the caller's personal data",
    notes:
      "The user administrators get a message and carry it out within a month; then nobody can log in to the account any more. Refused while something must happen first, which `Users/GetErasure` lists, and when the caller has asked already.",
    needsProof: true,
    refuses: REFUSES,
    input: nothing,
    output: z.boolean(),
    handle: async (_, { user }) => {
      await requestErasure(user);
      return true;
    },
  }),
  call({
    path: "Users/WithdrawErasure",
    method: "POST",
    who: "user",
    summary: "Withdraws the caller's request for the erasure, as long as it has not been carried out",
    notes:
      "A request of a user administrator that waits for a second one ends, too, if it was made after the caller had asked.",
    needsProof: true,
    refuses: REFUSES,
    input: nothing,
    output: z.boolean(),
    handle: async (_, { user }) => {
      await withdrawErasure(user);
      return true;
    },
  }),
]);

/** Calls with which people get a copy of their data and have it erased. */
export const personalDataCalls = [...downloads, ...erasure];
