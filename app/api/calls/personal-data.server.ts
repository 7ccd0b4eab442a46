import { z } from "zod";
import { exportPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { streamedFile } from "~/http/files.server";
import { fileCall, group } from "../call";
import { queryId } from "../wire";

export const personalDataCalls = group("Downloads", [
  fileCall({
    path: "Users/DownloadPersonalData",
    method: "GET",
    who: "user",
    summary: "Everything that the portal holds about the caller, or about another person for a user administrator",
    notes:
      "Account, companies, sessions, second factors without their secrets, drafts, orders, certificates, codes, invitations, contacts, messages, security events and entries of the audit trail.",
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
