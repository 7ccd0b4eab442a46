import { type IncomingMessage } from "node:http";
import { z } from "zod";
import { LARGEST_GRANT, LARGEST_STANDING_GRANT } from "./protocol";
import { Refusal } from "./refusal.server";

/** Bodies of requests that are no bytes to be signed are shorter than this, in bytes. */
const LONGEST_BODY = 128 * 1024;
/** A standing grant can name all OFTP IDs of a company. */
export const LONGEST_STANDING_BODY = 1024 * 1024;

/** Reads a body of exactly this length. Throws a Refusal `malformed` when it has another one. */
export async function readBytes(request: IncomingMessage, length: number): Promise<Uint8Array> {
  const body = Buffer.allocUnsafe(length);
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    if (size + piece.length > length) throw new Refusal("malformed", "The request is longer than it says.");
    body.set(piece, size);
    size += piece.length;
  }
  if (size !== length) throw new Refusal("malformed", "The request is shorter than it says.");
  return body;
}

/** Returns the length that the request states. */
export function lengthOf({ headers }: IncomingMessage, longest: number): number {
  const length = Number(headers["content-length"] ?? Number.NaN);
  if (!Number.isSafeInteger(length) || length < 0) throw new Refusal("malformed", "The request states no length.");
  if (length > longest) throw new Refusal("too-large", `The request is larger than ${longest} bytes.`);
  return length;
}

/** Reads a body of JSON. Throws a Refusal `malformed` that names the first member that breaks its rule. */
export async function readRequest<Schema extends z.ZodTypeAny>(
  request: IncomingMessage,
  schema: Schema,
  longest = LONGEST_BODY,
): Promise<z.output<Schema>> {
  const text = Buffer.from(await readBytes(request, lengthOf(request, longest))).toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal("malformed", "The request is no JSON.");
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data as z.output<Schema>;
  const [issue] = read.error.issues;
  throw new Refusal("malformed", `'${issue?.path.join(".")}' breaks its rule: ${issue?.message}`);
}

/** Text of one line that the journal keeps. */
const line = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[^\p{Cc}]+$/u, "It must be one line without control characters.");

const base64url = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[\w-]+$/);

/** A name by which the journal knows somebody. Invisible letters would make two of them look the same. */
const whose = (longest: number) =>
  line(longest).regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, "It must have no invisible characters.");

const person = whose(254);
const operator = whose(200);
const passkey = z.object({ passkey: z.string().max(80_000) });
const code = z.string().max(20);
const answer = z.union([z.object({ code }), passkey]);
const confirmation = { person, askedAt: z.string().datetime(), answer };

const { certificates, names } = LARGEST_STANDING_GRANT;
const attribute = line(200);
const count = (least: number, most: number) => z.number().int().min(least).max(most);
const domain = z.object({ name: z.string().regex(/^[a-z0-9_.-]{1,253}$/), isHostOnly: z.boolean() }).strict();
const usage = z.enum(["hasSecureSession", "hasEmail", "hasEncryption", "hasFileSigning"]);

const scope = z
  .object({
    authorisation: count(1, Number.MAX_SAFE_INTEGER),
    company: count(1, Number.MAX_SAFE_INTEGER),
    organisation: attribute,
    organisationUnit: attribute.nullable(),
    locality: attribute.nullable(),
    state: attribute.nullable(),
    country: z.string().regex(/^[A-Z]{2}$/),
    domains: z.array(domain).max(names),
    oftpIds: z.array(z.string().regex(/^O[0-9A-Z -]{1,40}$/)).max(names),
    usages: z.array(usage).min(1).max(usage.options.length),
    issuers: z
      .array(z.string().regex(/^[a-z][a-z0-9-]{1,62}$/))
      .min(1)
      .max(100),
    longestYears: count(1, 5),
    renewalDays: count(0, 3660),
    certificates: count(1, certificates),
    endsAt: z.string().datetime(),
  })
  .strict();

/** What the requests about factors and grants must contain (`protocol.ts`). */
export const BODIES = {
  offer: z.object({ ...confirmation, answer: passkey, name: line(60), credential: base64url, publicKey: base64url }),
  removal: z.object({ by: whose(254) }),
  grant: z.object({ ...confirmation, digests: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(LARGEST_GRANT) }),
  standing: z.object({ ...confirmation, scope }),
  newKey: z.object({ bits: z.number().int().min(2048).max(8192) }),
  acceptance: z.object({ operator }),
  app: z.object({ person, name: line(60), secret: z.string().regex(/^[A-Z2-7]{16,64}$/), code, operator }),
};
