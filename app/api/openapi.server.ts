import { OpenApiGeneratorV31, OpenAPIRegistry, type RouteConfig } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { requirementText } from "~/domain/accounts/rights.policy";
import { TEST_EVENT, WEBHOOK_EVENTS } from "~/domain/webhooks/events";
import { WEBHOOK_DATA, webhookBodySchema } from "~/domain/webhooks/payloads.schema";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { type Call, GROUPS } from "./call";
import { introduction } from "./introduction.server";
import { failureSchema, refusals, responsesOf } from "./responses.server";
import { PROOF_NOTE } from "./step-up.server";
import { CALLS } from "./table.server";
import { REQUIRED } from "./wire";

const JSON_TYPE = "application/json";
const accessToken = {
  access_token: z.string().optional().describe("A ticket, or the token, where no header can be sent"),
};

function requestOf({
  method,
  input,
  body,
  answer,
  who,
  path,
  headers,
  params: words = {},
}: Call): NonNullable<RouteConfig["request"]> {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = ""]) => [name, z.string().describe(words[name] ?? "")] as const,
  );
  const inPath = {
    ...(params.length > 0 && { params: z.object(Object.fromEntries(params)) }),
    ...(headers && { headers }),
  };
  if (method === "POST") {
    const type = body === "form" ? "application/x-www-form-urlencoded" : JSON_TYPE;
    return { ...inPath, body: { required: true, content: { [type]: { schema: input } } } };
  }
  const query = input as z.AnyZodObject;
  return { ...inPath, query: answer.kind === "file" && who !== "anyone" ? query.extend(accessToken) : query };
}

function needsOf({ who, scope }: Call): string {
  if (who === "anyone") return "Needs no token.";
  const needed = who === "user" ? "Needs a token." : `Needs ${requirementText(who)}.`;
  return `${needed} ${scope ? `API clients need the scope \`${scope}\`.` : "For people, not for API clients."}`;
}

const idOf = ({ path }: Call) =>
  path
    .replace(/[{}]/g, "")
    .split("/")
    .map((part, index) => (index === 0 ? part : part[0]?.toUpperCase() + part.slice(1)))
    .join("");

/** Returns the ways to authenticate, of which a caller uses one: the token in the header or, for a file, `access_token` in its address. */
const waysIn = ({ answer }: Call): Record<string, string[]>[] => [
  { token: [] },
  ...(answer.kind === "file" ? [{ ticket: [] }] : []),
];

function describe(call: Call): RouteConfig {
  const { path, method, group, summary, notes, who, needsProof, failure: code } = call;
  const needs = needsProof ? `${needsOf(call)} ${PROOF_NOTE}` : needsOf(call);
  const words = [notes, code ? `${needs} An unexpected failure has the code ${code}.` : needs];
  return {
    method: method === "GET" ? "get" : "post",
    path: `/api/${path}`,
    operationId: idOf(call),
    tags: [group],
    summary,
    description: words.filter(Boolean).join("\n\n"),
    security: who === "anyone" ? [] : waysIn(call),
    request: requestOf(call),
    responses: responsesOf(call),
  };
}

type Json = Record<string, unknown>;

/** Describes the request that the portal sends to webhooks for an event. */
const describeWebhook = (event: keyof typeof WEBHOOK_DATA): RouteConfig => ({
  method: "post",
  path: event,
  operationId: event.replace(".", "-"),
  tags: ["Webhooks"],
  summary: event === TEST_EVENT ? "A test that an owner sends" : WEBHOOK_EVENTS[event],
  description: "Sent to the webhooks of the company, by the Standard Webhooks specification. See docs/api.md.",
  security: [],
  request: {
    headers: z.object({
      "webhook-id": z.string().describe("The id of the message, the same in every try"),
      "webhook-timestamp": z.string().describe("When this try was made, in seconds since 1970"),
      "webhook-signature": z.string().describe("One or more signatures, separated by spaces, such as `v1,…`"),
    }),
    body: { required: true, content: { [JSON_TYPE]: { schema: webhookBodySchema(event) } } },
  },
  responses: {
    "2XX": { description: "The message was accepted" },
    410: { description: "The receiver wants nothing more: the webhook is paused" },
    default: { description: "The message was not accepted, and comes again later" },
  },
});

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the schema of a member that the rules of the forms require, without the mark and without null. */
function asRequired({ [REQUIRED]: _, type, ...member }: Json): Json {
  const types = Array.isArray(type) ? (type as unknown[]).filter((one) => one !== "null") : [type];
  return { type: types.length === 1 ? types[0] : types, ...member };
}

/** Returns the description in which every field marked with REQUIRED is in the `required` array of its object. */
function withRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRequired);
  if (!isObject(value)) return value;
  const all = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withRequired(member)]));
  if (!isObject(all.properties)) return all;
  const members = Object.entries(all.properties) as [string, Json][];
  const isRequired = ([name, member]: [string, Json]) =>
    REQUIRED in member || ((all.required ?? []) as string[]).includes(name);
  const required = members.filter(isRequired).map(([name]) => name);
  const properties = members.map(([name, member]) => [name, REQUIRED in member ? asRequired(member) : member]);
  return { ...all, properties: Object.fromEntries(properties) as Json, ...(required.length > 0 && { required }) };
}

/** Returns the OpenAPI 3.1 description of every call, derived from the table. */
export const openApiDocument = memoize((): object => {
  const registry = new OpenAPIRegistry();
  registry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  registry.registerComponent("securitySchemes", "ticket", {
    type: "apiKey",
    in: "query",
    name: "access_token",
    description: "In the address of a file: a ticket of token/ticket, or the token itself",
  });
  registry.register("Failure", failureSchema);
  for (const { name, answer } of refusals) registry.registerComponent("responses", name, answer);
  for (const call of CALLS) registry.registerPath(describe(call));
  for (const event of Object.keys(WEBHOOK_DATA) as (keyof typeof WEBHOOK_DATA)[])
    registry.registerWebhook(describeWebhook(event));
  const { name } = getConfig().branding;
  const { publicUrl } = getEnv();
  const whole = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: "3.1.0",
    info: { title: `${name}: JSON calls`, version: "1", description: introduction(publicUrl) },
    servers: [{ url: publicUrl }],
    tags: [
      ...Object.entries(GROUPS),
      ["Webhooks", "Requests that the portal sends to programs of companies"] as const,
    ].map(([tag, description]) => ({ name: tag, description })),
  });
  return withRequired(whole) as object;
});
