import { type RouteConfig } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { brokenRules } from "./broken-rules";
import { type Call, type FileOutput } from "./call";

const JSON_TYPE = "application/json";

interface Problem {
  meaning: string;
  /** The `errorCode`s of the refusal. */
  codes: readonly string[];
  /** Further codes, in words. When omitted there are no others. */
  others?: string;
}

/** The meaning of each refusal status. */
export const PROBLEMS: Readonly<Record<number, Problem>> = {
  400: {
    meaning: "The request could not be read: it is not JSON, has a member or parameter twice, or is nested too deeply",
    codes: ["body.malformed", "idempotency.key", "order.quantity"],
  },
  401: { meaning: "No token, or one that is unknown or expired", codes: ["token.invalid"] },
  403: {
    meaning:
      "The caller does not have the right or the role, works for another company now than the one of the token, has something to do first, must confirm who they are, or acts as a user who alone may do it; or an API client lacks the scope, makes a call that is for people, or is not in an allowed network",
    codes: [
      ...["account.right", "company.role", "company.changed", "account.duty", "account.step-up", "account.acting"],
      ...["client.scope", "client.person-only", "client.network"],
    ],
  },
  404: { meaning: "There is no such thing, or it is somebody else's", codes: ["not-found"] },
  409: {
    meaning: "Its state does not allow it, or it was changed meanwhile",
    codes: [
      "codes.not-editable",
      "codes.none-available",
      "codes.no-sub-entity",
      "order.changed-meanwhile",
      "certificate.not-pending",
      "certificate.contact-answered",
      "correction.not-now",
      "correction.contact",
      "certificate.taken",
      "certificate.not-reminded",
      "certificate.notes-changed-meanwhile",
      "account.company-name",
      "audit.unsound",
    ],
  },
  413: {
    meaning: "The body, or a text with markup in it, is too large",
    codes: ["body.too-large", "body.malformed"],
  },
  415: { meaning: "The body has another type than the call accepts", codes: ["body.malformed"] },
  422: {
    meaning: "Fields are not valid, or a rule of the portal refuses it",
    codes: ["request.invalid"],
    others: "the rule that refuses it, such as `certificate.renew`, `codes.status`, `csr` or `InvalidResetCode`",
  },
  429: { meaning: "Too many calls: `Retry-After` says in how many seconds to try again", codes: ["rate-limit"] },
  500: { meaning: "An unexpected failure", codes: ["unexpected"], others: "the code of the call, such as `OCA0701E`" },
  503: {
    meaning: "The portal cannot reach its data at the moment: `Retry-After` says in how many seconds to try again",
    codes: ["unavailable"],
  },
};

export const failureSchema = z.object({
  success: z.literal(false),
  responseContent: z.null(),
  responseText: z.string().describe("The reason in words"),
  errors: z.record(z.string()).optional().describe("The problem of each field, by its path, such as `order.csr`"),
  criteria: z
    .record(z.array(z.object({ criterion: z.string(), message: z.string() })))
    .optional()
    .describe(
      "Which criteria a field does not meet, by its path. Of `authenticationContact.email`: `other-person`, `company-email`, `own-name`",
    ),
  rules: brokenRules().optional(),
  errorCode: z.string().optional().describe("The code of the reason, for programs"),
});

const textHeader = (description: string) => ({ description, schema: { type: "string" as const } });

/** A header of every answer. */
const REQUEST_ID = { "X-Request-Id": textHeader("Names this request in the portal's log") };

const RETRY_AFTER = {
  "Retry-After": {
    description: "Seconds until it can be tried again",
    schema: { type: "integer" as const, minimum: 1 },
  },
};

/** The headers of an answer by status, besides REQUEST_ID. */
const HEADERS: Readonly<Record<number, Record<string, object>>> = {
  401: { "WWW-Authenticate": textHeader("Bearer, with an error when a token was sent (RFC 6750)") },
  403: { "WWW-Authenticate": textHeader("For API clients only: `insufficient_scope`, and the scope (RFC 6750 §3.1)") },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

const headersOf = (status: number) => ({ ...REQUEST_ID, ...HEADERS[status] });

/** The refusals, which all calls share. */
export const refusals = Object.entries(PROBLEMS).map(([status, { meaning }]) => ({
  name: `Refused${status}`,
  answer: {
    description: meaning,
    headers: headersOf(Number(status)),
    content: { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/Failure" } } },
  },
}));

const jsonOf = (schema: z.ZodTypeAny) => ({ [JSON_TYPE]: { schema } });

/** Returns the statuses with which a call is refused. */
export function refusalsOf({ who, method, answer, refuses = {} }: Call): number[] {
  // The repository's files accept any query and are not rate limited.
  const isOpen = who === "anyone" && answer.kind === "file";
  const statuses = [
    400,
    ...(who === "anyone" ? [] : [401, 403]), // an API client without the scope gets a 403
    ...Object.keys(refuses).map(Number),
    ...(method === "POST" ? [413, 415] : []),
    ...(isOpen ? [] : [422, 429]),
    500,
    503,
  ];
  return [...new Set(statuses)].sort((one, other) => one - other);
}

type Responses = RouteConfig["responses"];

const nextCursor = z
  .string()
  .nullable()
  .describe("Sent as `cursor` with the same filters, it gets the next rows. Null when there are none");

/** Returns the answers of a call, by status. */
export function responsesOf(call: Call): Responses {
  const { answer, refuses = {} } = call;
  if (answer.kind === "plain") {
    const refused = Object.fromEntries(
      [400, ...(answer.refusesToo ?? []), 413, 415, 429, 500, 503].map((status) => [
        status,
        { description: "Refused", headers: headersOf(status), content: jsonOf(answer.refusal) },
      ]),
    );
    return { 200: { description: "Granted", headers: REQUEST_ID, content: jsonOf(answer.output) }, ...refused };
  }
  const words = (status: number) => refuses[status as keyof typeof refuses];
  const refused: Responses = Object.fromEntries(
    refusalsOf(call).map((status) => {
      const description = words(status);
      return [status, { $ref: `#/components/responses/Refused${status}`, ...(description && { description }) }];
    }),
  );
  if (answer.kind === "wrapped") {
    const wrapper = z.object({ success: z.literal(true), responseContent: answer.output, responseText: z.string() });
    const whole = call.isInParts ? wrapper.extend({ nextCursor }) : wrapper;
    return { 200: { description: "Done", headers: REQUEST_ID, content: jsonOf(whole) }, ...refused };
  }
  return { ...refused, ...fileResponses(answer.output, call.who === "anyone") };
}

/**
 * Returns the answers of a file call. Public files support conditional and range requests (RFC 9110 §13, §14); a missing public file is
 * answered in plain text.
 */
function fileResponses({ mediaTypes, description, schema }: FileOutput, isPublic: boolean): Responses {
  const file = schema ?? z.string().openapi({ format: "binary" });
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: file }]));
  const named = {
    ...REQUEST_ID,
    "Content-Disposition": textHeader(
      "The file's name; with other characters than ASCII also as `filename*` (RFC 8187)",
    ),
  };
  if (!isPublic) return { 200: { description, headers: named, content } };
  const validators = {
    ...REQUEST_ID,
    ETag: textHeader("Strong validator, for If-None-Match, If-Match and If-Range"),
    "Last-Modified": textHeader("For If-Modified-Since and If-Unmodified-Since"),
    "Cache-Control": textHeader("For how many seconds caches may keep the file"),
    "Accept-Ranges": textHeader("bytes"),
  };
  const range = { "Content-Range": textHeader("Which bytes, and of how many") };
  return {
    200: { description, headers: { ...validators, ...named }, content },
    206: { description: "The part that was asked for", headers: { ...validators, ...named, ...range }, content },
    304: { description: "Not modified", headers: validators },
    404: {
      description: "There is no such file",
      headers: REQUEST_ID,
      content: { "text/plain": { schema: z.string() } },
    },
    412: { description: "It is not the version that If-Match or If-Unmodified-Since asks for", headers: REQUEST_ID },
    416: { description: "The part lies outside the file", headers: { ...validators, ...range } },
  };
}
