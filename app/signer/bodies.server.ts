import { type IncomingMessage } from "node:http";
import { z } from "zod";
import { LARGEST_GRANT } from "./protocol";
import { Refusal } from "./refusal.server";

/** Bodies of requests that are no bytes to be signed are shorter than this, in bytes. */
const LONGEST_BODY = 128 * 1024;

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
): Promise<z.output<Schema>> {
  const text = Buffer.from(await readBytes(request, lengthOf(request, LONGEST_BODY))).toString("utf8");
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

/** What the requests about factors and grants must contain (`protocol.ts`). */
export const BODIES = {
  offer: z.object({ ...confirmation, answer: passkey, name: line(60), credential: base64url, publicKey: base64url }),
  removal: z.object({ by: whose(254) }),
  grant: z.object({ ...confirmation, digests: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(LARGEST_GRANT) }),
  newKey: z.object({ bits: z.number().int().min(2048).max(8192) }),
  acceptance: z.object({ operator }),
  app: z.object({ person, name: line(60), secret: z.string().regex(/^[A-Z2-7]{16,64}$/), code, operator }),
};
