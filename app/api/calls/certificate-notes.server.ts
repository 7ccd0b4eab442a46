import { z } from "zod";
import { MOST_TAGS, TAG_LIMIT } from "~/domain/certificates/catalogue/notes-fields";
import { certificateNotesSchema } from "~/domain/certificates/catalogue/notes.schema";
import {
  changeCertificateNotes,
  type CertificateNotes,
  getCertificateNotes,
  tagsText,
} from "~/domain/certificates/catalogue/notes.service.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { call, group } from "../call";
import { check } from "../check";
import { conflictMessage } from "../conflict";
import { id, queryId, textBy, toWireTimestamp, wireTimestamp } from "../wire";

const noted = z.object({
  notes: z.string(),
  tags: z.array(z.string()),
  version: z.number().int().describe("0 when nothing was ever noted; one more with each change"),
  changedAt: wireTimestamp().describe("When they were changed last; `0001-01-01T00:00:00` when they never were"),
});

const toNoted = ({ changedAt, ...notes }: CertificateNotes): z.input<typeof noted> => ({
  ...notes,
  changedAt: toWireTimestamp(changedAt),
});

const MISSING = "There is no such certificate, or it is somebody else's";

export const certificateNotesCalls = group("Certificates", [
  call({
    path: "Certificates/GetNotes",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The notes and tags of a company about one of its certificates",
    input: z.object({ certificateId: queryId() }).strict(),
    refuses: { 404: MISSING },
    output: noted,
    handle: async ({ certificateId }, { user }) => toNoted(await getCertificateNotes(user, certificateId)),
  }),
  call({
    path: "Certificates/SetNotes",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Replaces the notes and tags about a certificate",
    notes: `For members with the role Owner, Purchaser or Technical. Blanks in tags count once, and of tags that differ only in capitals the first stays. A renewal or replacement begins with a copy.`,
    refuses: {
      403: "The role of the caller in the company does not allow it (`company.role`)",
      404: MISSING,
      409: "They were changed by somebody else after `version` (`certificate.notes-changed-meanwhile`)",
    },
    input: z
      .object({
        certificateId: id(),
        notes: textBy(certificateNotesSchema.shape.notes, { description: "Plain text" }),
        tags: z
          .array(z.string({ invalid_type_error: messages.invalid }))
          .describe(`At most ${MOST_TAGS} of ${TAG_LIMIT} characters. A comma or semicolon separates two tags`),
        version: z
          .number({ required_error: messages.required, invalid_type_error: messages.invalid })
          .int(messages.invalid)
          .min(0, messages.invalid)
          .describe("The `version` of Certificates/GetNotes"),
      })
      .strict(),
    output: noted,
    handle: async ({ certificateId, notes, tags, version: seen }, { user }) => {
      const form = check(certificateNotesSchema, { notes, tags: tagsText(tags), seen });
      const conflict = await changeCertificateNotes(user, certificateId, form);
      if (conflict)
        throw new PortalError(
          conflictMessage(conflict, `To replace it, send it again with version ${conflict.version}.`),
          {
            code: "certificate.notes-changed-meanwhile",
            status: 409,
            field: "version",
          },
        );
      return toNoted(await getCertificateNotes(user, certificateId));
    },
  }),
]);
