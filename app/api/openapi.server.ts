import {
  extendZodWithOpenApi,
  OpenApiGeneratorV31,
  OpenAPIRegistry,
  type RouteConfig,
} from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { type Call, type FileOutput } from "./call";
import { CALLS } from "./table.server";

extendZodWithOpenApi(z);

const ABOUT = `The portal's functions for programs. Every answer is wrapped: \`success\`, \`responseContent\` and \`responseText\`;
a refusal says in \`responseText\` why, in \`errors\` which fields, and in \`errorCode\` by which rule.

A text that is not given travels as empty or a single space, a country that is not given as \`-1\`, a date that is not given as
\`01/01/0001\` or \`0001-01-01T00:00:00\`. Paths are found in whatever case. Too many calls are answered with 429 and \`Retry-After\`.`;

const JSON_TYPE = "application/json";
const PROBLEMS: Readonly<Record<number, string>> = {
  400: "The request could not be read",
  401: "No token, or one that is over",
  403: "The caller has not the right, or something to do first",
  404: "There is no such thing, or it is somebody else's",
  409: "It was changed meanwhile, or its state does not allow it",
  413: "The body is too large",
  415: "The body is of another type",
  422: "Fields are not valid, or the portal's rules refuse it",
  429: "Too many calls: `Retry-After` says when to try again",
  500: "An unforeseen failure; `errorCode` names it",
};

const failure = z
  .object({
    success: z.literal(false),
    responseContent: z.null(),
    responseText: z.string(),
    errors: z.record(z.string()).optional().describe("By field"),
    errorCode: z.string().optional(),
  })
  .openapi("Failure");

/** The refusals, once for all calls. */
const refusals = Object.entries(PROBLEMS).map(([status, description]) => ({
  name: `Refused${status}`,
  answer: { description, content: { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/Failure" } } } },
}));

const jsonOf = (schema: z.ZodTypeAny) => ({ [JSON_TYPE]: { schema } });

/** The statuses with which a call is refused. */
function refusalsOf({ who, method }: Call): number[] {
  return [
    400,
    ...(who === "anyone" ? [] : [401, 403]),
    404,
    409,
    ...(method === "POST" ? [413, 415] : []),
    422,
    429,
    500,
  ];
}

type Responses = RouteConfig["responses"];

function responsesOf(call: Call): Responses {
  const { answer } = call;
  if (answer.kind === "plain") {
    const refusal = { description: "Refused", content: jsonOf(answer.refusal) };
    const refused = Object.fromEntries([400, 413, 415, 429, 500].map((status) => [status, refusal]));
    return { 200: { description: "Granted", content: jsonOf(answer.output) }, ...refused };
  }
  const refused: Responses = Object.fromEntries(
    refusalsOf(call).map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
  );
  if (answer.kind === "wrapped") {
    const wrapper = z.object({ success: z.literal(true), responseContent: answer.output, responseText: z.string() });
    return { 200: { description: "Done", content: jsonOf(wrapper) }, ...refused };
  }
  return { ...refused, ...fileResponses(answer.output, call.who === "anyone") };
}

/** A public file is conditional and answered in parts (RFC 9110 §13, §14); that there is none is said in plain words. */
function fileResponses({ mediaTypes, description }: FileOutput, isPublic: boolean): Responses {
  const file = z.string().openapi({ format: "binary" });
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: file }]));
  const whole = { 200: { description, content } };
  if (!isPublic) return whole;
  return {
    ...whole,
    206: { description: "The part that was asked for", content },
    304: { description: "Not modified" },
    404: { description: PROBLEMS[404] ?? "", content: { ...jsonOf(failure), "text/plain": { schema: z.string() } } },
    416: { description: "The part lies outside the file" },
  };
}

const accessToken = {
  access_token: z.string().optional().describe("A ticket, or the token, where no header can be sent"),
};

function requestOf({ method, input, body, answer, who, path, headers }: Call): NonNullable<RouteConfig["request"]> {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, z.string()] as const);
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

const WHO: Readonly<Record<Call["who"], string>> = {
  anyone: "Needs no token.",
  user: "Needs a token.",
  Applicant: "Needs the right Applicant.",
  Admin: "Needs the right Admin.",
};

const idOf = ({ path }: Call) =>
  path
    .replace(/[{}]/g, "")
    .split("/")
    .map((part, index) => (index === 0 ? part : part[0]?.toUpperCase() + part.slice(1)))
    .join("");

function describe(call: Call): RouteConfig {
  const { path, method, group, summary, notes, who, failure: code } = call;
  const words = [notes, WHO[who], code && `An unforeseen failure has the code ${code}.`];
  return {
    method: method === "GET" ? "get" : "post",
    path: `/api/${path}`,
    operationId: idOf(call),
    tags: [group],
    summary,
    description: words.filter(Boolean).join("\n\n"),
    security: who === "anyone" ? [] : [{ token: [] }],
    request: requestOf(call),
    responses: responsesOf(call),
  };
}

let made: object | undefined;

/** The OpenAPI 3.1 description of every call, derived from the table. */
export function openApiDocument(): object {
  if (made) return made;
  const registry = new OpenAPIRegistry();
  registry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  registry.register("Failure", failure);
  for (const { name, answer } of refusals) registry.registerComponent("responses", name, answer);
  for (const call of CALLS) registry.registerPath(describe(call));
  const { name } = getConfig().branding;
  made = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: "3.1.0",
    info: { title: `${name}: JSON calls`, version: "1", description: ABOUT },
    servers: [{ url: getEnv().publicUrl }],
  });
  return made;
}
