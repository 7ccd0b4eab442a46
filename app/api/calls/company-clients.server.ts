import { z } from "zod";
import { apiClientSchema } from "~/domain/api-clients/api-clients.schema";
import { changeApiClient, createApiClient, revokeApiClient } from "~/domain/api-clients/api-clients.service.server";
import { getClientFor, listClientsFor } from "~/domain/api-clients/client-list.service.server";
import { CLIENT_STATES } from "~/domain/api-clients/client-state.policy";
import { OVERLAPS, type Overlap } from "~/domain/api-clients/forms";
import { scopesFor } from "~/domain/api-clients/scopes.policy";
import { addSecret, endSecret } from "~/domain/api-clients/secrets.service.server";
import { messages } from "~/lib/messages";
import { call, group } from "../call";
import { check } from "../check";
import { id, nothing, REQUIRED, text, textBy, toWireDate, toWireTimestamp, wireDate, wireTimestamp } from "../wire";

const KIND = "company";
const CHOICES = scopesFor(KIND);

const secret = z.object({
  id: z.number().int(),
  createdAt: wireTimestamp(),
  endsAt: wireTimestamp().describe("The null date for one that is valid until somebody ends it"),
  lastUsedAt: wireTimestamp(),
  isValid: z.boolean(),
});

const client = z.object({
  id: z.number().int(),
  clientId: z.string(),
  name: z.string(),
  state: z
    .enum(CLIENT_STATES)
    .describe(
      "`Paused`: nobody answers for it, until an owner makes a new secret. `No valid secret`: it gets no token, until an owner makes one. `No scope`: none of its scopes counts",
    ),
  scopes: z.array(z.string().openapi({ enum: CHOICES })),
  networks: z.array(z.string()).describe("Empty: everywhere"),
  lastDay: wireDate(),
  createdAt: wireTimestamp(),
  lastUsedAt: wireTimestamp().describe("Recorded at most every five minutes"),
  lastUsedAddress: z.string(),
  responsible: z.string().describe("The email of the owner who answers for it"),
  secrets: z.array(secret).describe("Oldest first"),
});

const form = {
  name: textBy(apiClientSchema.shape.name),
  scopes: z
    .array(z.string().openapi({ enum: CHOICES }))
    .nullish()
    .openapi({ type: "array", [REQUIRED]: true }),
  networks: z
    .array(z.string().max(50, messages.outOfRange))
    .nullish()
    .describe("Networks (CIDR) and addresses, IPv4 or IPv6; everywhere when omitted or empty"),
  lastDay: text().openapi({ type: "string", [REQUIRED]: true, description: "`YYYY-MM-DD`, two years ahead at most" }),
};

const sentForm = z.object(form).strict();

/** Returns the client in a body. Throws InvalidInput for fields that are not valid. */
const formIn = ({ scopes, networks, ...sent }: Omit<z.output<typeof sentForm>, "id">) =>
  check(apiClientSchema, { ...sent, scopes: scopes ?? [], networks: (networks ?? []).join(" ") });

const shownSecret = z.object({
  apiClientId: z.number().int(),
  clientId: z.string(),
  clientSecret: z.string().describe("Shown only now"),
});

const shown = ({ id: apiClientId, clientId, secret: clientSecret }: Awaited<ReturnType<typeof addSecret>>) => ({
  apiClientId,
  clientId,
  clientSecret,
});

const NOT_FOUND = { 404: "The company has no such client, or it has no such secret" };

export const companyClientCalls = group("Companies", [
  call({
    path: "Companies/GetApiClients",
    method: "GET",
    who: "manage-company",
    summary: "The API clients of the company, oldest first, also those that were revoked",
    input: nothing,
    output: z.array(client),
    handle: async (_, { user }) =>
      (await listClientsFor(user, KIND)).map(({ secrets, beyond: _, ...one }) => ({
        ...one,
        lastDay: toWireDate(one.lastDay),
        createdAt: toWireTimestamp(one.createdAt),
        lastUsedAt: toWireTimestamp(one.lastUsedAt),
        secrets: secrets.map((row) => ({
          ...row,
          createdAt: toWireTimestamp(row.createdAt),
          endsAt: toWireTimestamp(row.endsAt),
          lastUsedAt: toWireTimestamp(row.lastUsedAt),
        })),
      })),
  }),
  call({
    path: "Companies/CreateApiClient",
    method: "POST",
    who: "manage-company",
    needsProof: true,
    summary: "Makes an API client of the company, which the caller answers for",
    notes: "The answer has its secret, which cannot be read again. A second client with the same name is refused.",
    input: sentForm,
    output: shownSecret,
    handle: async (input, { user }) => shown(await createApiClient(user, KIND, formIn(input))),
  }),
  call({
    path: "Companies/UpdateApiClient",
    method: "POST",
    who: "manage-company",
    needsProof: true,
    summary: "Changes name, scopes, networks and last day of an API client",
    notes: "A token has no scope any more that its client loses.",
    refuses: NOT_FOUND,
    input: sentForm.extend({ apiClientId: id() }),
    output: z.boolean(),
    handle: async ({ apiClientId, ...input }, { user }) => {
      await changeApiClient(user, KIND, apiClientId, formIn(input));
      return true;
    },
  }),
  call({
    path: "Companies/AddApiClientSecret",
    method: "POST",
    who: "manage-company",
    needsProof: true,
    summary: "Gives an API client a new secret, which the answer shows once",
    notes:
      "The other secret stays valid for as long as `others` says, so that no request fails meanwhile: make the new secret, give it to the program, see in `lastUsedAt` that the program uses it, then end the old one. A client has two valid secrets at most. The caller answers for the client from then on. When nobody answered for it (`Paused`), the other secrets end at once.",
    refuses: NOT_FOUND,
    input: z
      .object({
        apiClientId: id(),
        others: z
          .enum(Object.keys(OVERLAPS) as [Overlap, ...Overlap[]], { message: messages.collection })
          .default("until-ended"),
      })
      .strict(),
    output: shownSecret,
    handle: async ({ apiClientId, others }, { user }) => {
      const { secrets } = await getClientFor(user, KIND, apiClientId);
      const newest = secrets.at(-1)?.id ?? 0;
      return shown(await addSecret(user, KIND, apiClientId, { newest, overlap: others }));
    },
  }),
  call({
    path: "Companies/EndApiClientSecret",
    method: "POST",
    who: "manage-company",
    summary: "Ends a secret of an API client, and the tokens made with it",
    notes:
      "After the only valid secret has ended, the client gets no token until it gets a new secret; its `state` is `No valid secret`.",
    refuses: NOT_FOUND,
    input: z.object({ apiClientId: id(), secretId: id() }).strict(),
    output: z.boolean(),
    handle: async ({ apiClientId, secretId }, { user }) => {
      await endSecret(user, KIND, { id: apiClientId, secretId });
      return true;
    },
  }),
  call({
    path: "Companies/RevokeApiClient",
    method: "POST",
    who: "manage-company",
    summary: "Revokes an API client with its secrets and tokens, for ever",
    refuses: NOT_FOUND,
    input: z.object({ apiClientId: id() }).strict(),
    output: z.boolean(),
    handle: async ({ apiClientId }, { user }) => {
      await revokeApiClient(user, KIND, apiClientId);
      return true;
    },
  }),
]);
