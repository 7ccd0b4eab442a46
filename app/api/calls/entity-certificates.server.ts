import { z } from "zod";
import { type SessionUser } from "~/domain/accounts/session-user";
import {
  type EntityPage,
  findEntityPage,
  readEntityFile,
} from "~/domain/codes/certificates/entity-page.service.server";
import { followedEntities, followEntity, unfollowEntity } from "~/domain/codes/certificates/following.service.server";
import { endPublication, publishAtEntity } from "~/domain/codes/certificates/publishing.service.server";
import { maySearchCodes } from "~/domain/codes/search.service.server";
import { fileResponse } from "~/http/files.server";
import { notFound, PortalError } from "~/lib/errors";
import { CODE_STATUSES } from "~db/tables/codes";
import { call, fileCall, group } from "../call";
import { id, nothing, queryId, toWireTimestamp, wireTimestamp } from "../wire";

const FORMS = ["PEM", "DER", "PKCS#7"] as const;

const published = z.object({
  certificateId: z.number().int(),
  commonName: z.string(),
  serialNumber: z.string(),
  sha256: z.string().describe("The SHA-256 fingerprint"),
  startDate: wireTimestamp(),
  expiryDate: wireTimestamp(),
  state: z
    .enum(["Current", "Previous"])
    .describe("`Previous`: another certificate that is published at the entity renews or replaces it"),
  publishedAt: wireTimestamp(),
});

const entity = z.object({
  codeId: z.number().int(),
  code: z.string(),
  oftpId: z.string(),
  entityName: z.string(),
  company: z.string(),
  status: z.enum(CODE_STATUSES),
  certificates: z.array(published),
  certificatesWithOftpId: z
    .array(z.number().int())
    .describe("The company's newest certificates that can be used and carry the OFTP ID; empty for other companies"),
});

const SEARCHERS = "The caller may not search the register (`account.right`)";
const NO_ENTITY = "There is no such entity";
const NOT_OWN = "There is no such entity, or it is somebody else's";
const ROLE = "The role of the caller in the company does not allow it (`company.role`)";

/** Throws a PortalError (403) unless the user may search the register. */
async function requireSearcher(user: SessionUser): Promise<void> {
  if (await maySearchCodes(user)) return;
  throw new PortalError("Only staff with access to the register and owners of codes can see its certificates.", {
    code: "account.right",
    status: 403,
  });
}

const toEntity = (page: EntityPage): z.input<typeof entity> => ({
  codeId: page.id,
  code: page.fullCode,
  oftpId: page.oftpId,
  entityName: page.entityName,
  company: page.company,
  status: page.status,
  certificates: page.published.map((one) => ({
    certificateId: one.id,
    commonName: one.commonName,
    serialNumber: one.serialNumber,
    sha256: one.sha256,
    startDate: toWireTimestamp(one.startDate),
    expiryDate: toWireTimestamp(one.expiryDate),
    state: one.state,
    publishedAt: toWireTimestamp(one.publishedAt),
  })),
  certificatesWithOftpId: (page.own?.carriers ?? []).map((one) => one.id),
});

async function entityFor(user: SessionUser, codeId: number): Promise<z.input<typeof entity>> {
  await requireSearcher(user);
  const page = await findEntityPage(user, codeId);
  if (!page) throw notFound();
  return toEntity(page);
}

export const entityCertificateCalls = group("Codes", [
  call({
    path: "codes/GetEntityCertificates",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "An entity of the register with the certificates that its company publishes there",
    notes:
      "For those who may search the register. Only certificates that can be used are listed, the current ones first.",
    refuses: { 403: SEARCHERS, 404: NO_ENTITY },
    input: z.object({ codeId: queryId() }).strict(),
    output: entity,
    handle: async ({ codeId }, { user }) => entityFor(user, codeId),
  }),
  fileCall({
    path: "codes/DownloadEntityCertificate",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "A certificate that is published at an entity",
    notes: "PEM has the certificate and its issuing CA, DER the certificate, PKCS#7 the whole chain.",
    refuses: { 403: SEARCHERS, 404: "The certificate is not published at this entity" },
    input: z.object({ codeId: queryId(), certificateId: queryId(), form: z.enum(FORMS) }).strict(),
    output: {
      mediaTypes: ["application/x-pem-file", "application/pkix-cert", "application/x-pkcs7-certificates"],
      description: "The certificate",
    },
    handle: async ({ codeId, certificateId, form }, { user }) => {
      await requireSearcher(user);
      const file = await readEntityFile(codeId, certificateId, form);
      if (!file) throw notFound();
      return fileResponse(file);
    },
  }),
  call({
    path: "codes/PublishEntityCertificates",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Publishes certificates of the company at its entity, for those who may search the register",
    notes:
      "For members with the role Owner or Purchaser. When one cannot be published, none is. A renewal of a published certificate is published by itself.",
    refuses: { 403: ROLE, 404: NOT_OWN },
    input: z.object({ codeId: id(), certificateIds: z.array(id()) }).strict(),
    output: entity,
    handle: async ({ codeId, certificateIds }, { user }) => {
      await publishAtEntity(user, codeId, certificateIds);
      return entityFor(user, codeId);
    },
  }),
  call({
    path: "codes/GetFollowedEntities",
    method: "GET",
    who: "user",
    summary: "The entities of whose changes the caller is told by email",
    input: nothing,
    output: z.array(
      z.object({ codeId: z.number().int(), code: z.string(), entityName: z.string(), followedAt: wireTimestamp() }),
    ),
    handle: async (_, { user }) =>
      (await followedEntities(user)).map(({ id: codeId, fullCode: code, entityName, followedAt }) => ({
        codeId,
        code,
        entityName,
        followedAt: toWireTimestamp(followedAt),
      })),
  }),
  call({
    path: "codes/FollowEntity",
    method: "POST",
    who: "user",
    summary: "Tells the caller by email when the certificates of an entity change",
    notes: "For those who may search the register, as long as they may.",
    refuses: { 403: SEARCHERS, 404: NO_ENTITY },
    input: z.object({ codeId: id() }).strict(),
    output: z.boolean().describe("Always true"),
    handle: async ({ codeId }, { user }) => {
      await followEntity(user, codeId);
      return true;
    },
  }),
  call({
    path: "codes/UnfollowEntity",
    method: "POST",
    who: "user",
    summary: "Ends the messages about an entity",
    refuses: { 404: NO_ENTITY },
    input: z.object({ codeId: id() }).strict(),
    output: z.boolean().describe("Always true"),
    handle: async ({ codeId }, { user }) => {
      await unfollowEntity(user, codeId);
      return true;
    },
  }),
  call({
    path: "codes/EndEntityCertificate",
    method: "POST",
    who: "user",
    clients: "write",
    summary: "Ends the publication of a certificate at an entity",
    notes: "For members with the role Owner or Purchaser. The certificate itself stays as it is.",
    refuses: {
      403: ROLE,
      404: "There is no such entity, it is somebody else's, or the certificate is not published there",
    },
    input: z.object({ codeId: id(), certificateId: id() }).strict(),
    output: entity,
    handle: async ({ codeId, certificateId }, { user }) => {
      await endPublication(user, codeId, certificateId);
      return entityFor(user, codeId);
    },
  }),
]);
