import { type z } from "zod";
import { type Requirement } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type TokenOwner } from "~/domain/accounts/tokens/api-tokens.service.server";
import { isScope, type Scope } from "~/domain/api-clients/scopes.policy";

/** Who may make a call: anyone, anyone with a token, or anyone with a token and what is required. */
export type Who = "anyone" | "user" | Requirement;

/** The request of a call and who sent it. `address` is the network from which it comes. */
export interface Caller {
  request: Request;
  address: string;
  user: SessionUser | null;
  owner: TokenOwner | null;
  /** The values of the path's parameters. */
  params: Readonly<Record<string, string>>;
}

export interface SignedCaller extends Caller {
  user: SessionUser;
  owner: TokenOwner;
}

/** The content of an answer, with a text for `responseText` (API-02). */
export class Reply<Content> {
  constructor(
    readonly content: Content,
    readonly text: string,
  ) {}
}

/** The rows of a part of a list, and the cursor of the next part, which is null after the last row (`cursor.server.ts`). */
export class ListPart<Row> {
  constructor(
    readonly rows: readonly Row[],
    readonly nextCursor: string | null,
  ) {}
}

type Content<Output extends z.ZodTypeAny> =
  | z.input<Output>
  | Reply<z.input<Output>>
  | (z.input<Output> extends (infer Row)[] ? ListPart<Row> : never);

interface Description<Input extends z.ZodTypeAny> {
  /** The documented path below `/api/`, which is matched without regard to case. `{name}` stands for one segment of the path. */
  path: string;
  method: "GET" | "POST";
  /** One line for the API reference. */
  summary: string;
  /** Further information for the API reference, as Markdown. */
  notes?: string;
  /** The documented code of an unexpected failure (API-07). */
  failure?: string;
  /** Whether the call answers a list in parts, each a `ListPart` with the cursor of the next one. */
  isInParts?: true;
  /** What these statuses mean for this call. The API reference names the statuses 404 and 409 only for calls that list them here. */
  refuses?: Partial<Record<403 | 404 | 409 | 422, string>>;
  /**
   * Whether API clients may make the call, and what it does with the data of the portal. Omitted for calls that only a person makes. A call
   * that needs no token ignores that of a client.
   */
  clients?: "read" | "write";
  /** The meaning of the path's parameters. */
  params?: Readonly<Record<string, string>>;
  /** Headers that only this call uses. */
  headers?: z.AnyZodObject;
  /** The query of a GET, or the body of a POST. */
  input: Input;
}

/** Describes a file in the answer. */
export interface FileOutput {
  mediaTypes: readonly string[];
  /** The schema of a JSON file. Other files are described as bytes. */
  schema?: z.ZodTypeAny;
  description: string;
}

/** An answer without the wrapper, also for refusals. */
interface PlainAnswer {
  kind: "plain";
  output: z.ZodTypeAny;
  refusal: z.ZodTypeAny;
  refuse: (error: unknown) => Response;
  /** The statuses of refusals that other plain answers do not have. */
  refusesToo?: readonly number[];
}

/** A row of the table of calls (API-05). Routing, checks and the OpenAPI description are derived from it. */
export interface Call extends Description<z.ZodTypeAny> {
  who: Who;
  /** The heading of the call in the API reference. */
  group: string;
  /** The scope that an API client needs. Null when only a person may make the call. */
  scope: Scope | null;
  /** Whether the call is also answered while the account has a duty: missing details, an expired password, or several accounts. */
  isBeforeDuties: boolean;
  /** Whether the program must have proved within ten minutes who uses it. */
  needsProof: boolean;
  /** `form` as in OAuth 2, otherwise JSON. */
  body: "json" | "form";
  answer: { kind: "wrapped"; output: z.ZodTypeAny } | PlainAnswer | { kind: "file"; output: FileOutput };
  handle: (input: unknown, caller: Caller) => Promise<unknown>;
}

/** A call without what its group says. */
export type Ungrouped = Omit<Call, "group" | "scope">;

/** The caller of a call that needs a token always has a user. */
type CallerOf<W extends Who> = W extends "anyone" ? Caller : SignedCaller;

interface WrappedCall<
  W extends Who,
  Input extends z.ZodTypeAny,
  Output extends z.ZodTypeAny,
> extends Description<Input> {
  who: W;
  /** The schema of `responseContent`. Only fields of this schema are sent. */
  output: Output;
  isBeforeDuties?: true;
  needsProof?: true;
  handle: (input: z.output<Input>, caller: CallerOf<W>) => Promise<Content<Output>>;
}

const erased = (handle: unknown) => handle as Call["handle"];

/** Defines a call with a wrapped answer. */
export const call = <W extends Who, Input extends z.ZodTypeAny, Output extends z.ZodTypeAny>({
  output,
  isBeforeDuties,
  needsProof,
  handle,
  ...rest
}: WrappedCall<W, Input, Output>): Ungrouped => ({
  ...rest,
  body: "json",
  isBeforeDuties: isBeforeDuties ?? false,
  needsProof: needsProof ?? false,
  answer: { kind: "wrapped", output },
  handle: erased(handle),
});

interface FileCall<W extends Who, Input extends z.ZodTypeAny> extends Description<Input> {
  who: W;
  output: FileOutput;
  needsProof?: true;
  handle: (input: z.output<Input>, caller: CallerOf<W>) => Promise<Response>;
}

/** Defines a GET that answers with a file. If it needs a token, the token or a ticket can also be sent in the query as `access_token`. */
export const fileCall = <W extends Who, Input extends z.ZodTypeAny>({
  output,
  needsProof,
  handle,
  ...rest
}: FileCall<W, Input>): Ungrouped => ({
  ...rest,
  body: "json",
  isBeforeDuties: false,
  needsProof: needsProof ?? false,
  answer: { kind: "file", output },
  handle: erased(handle),
});

/** The groups of calls in order, with their purpose. They are the tags of the description. */
export const GROUPS = {
  Tokens: "Tokens and tickets, which the other calls need",
  "User registration": "Accounts, their details and countries",
  "User security": "Passwords and security questions",
  Users: "The accounts of everybody, for staff",
  Companies: "The companies of the caller, their members and invitations; for staff, all companies",
  Configuration: "Settings of the portal that its pages use",
  "Certificate repository": "CA certificates, CRLs and policies, for everybody",
  Status: "How fresh what the CA publishes is, for everybody",
  Certificates: "Orders, renewals and revocations of certificates",
  Downloads: "Files: certificates, invoices and exports",
  Queue: "The certificate queue, for staff: orders, their checks, evidence and decisions",
  Codes: "Orders of ID codes, entities and sub-entities",
  "Sales orders": "Sales orders, for administrators",
  Search: "Everything that the caller may see, by words and numbers",
  Operations: "The state of the portal itself, for operators and auditors",
} as const;

/**
 * Returns the scope that an API client needs for a call of a group, or null. Throws an Error when a call that only a person can make, such
 * as one that needs a fresh proof, says that it is for clients.
 */
function scopeOf(name: string, { path, clients, needsProof, who }: Ungrouped): Scope | null {
  if (clients === undefined) return null;
  const scope = `${name.toLowerCase().replace(" ", "-")}:${clients}`;
  if (!isScope(scope) || needsProof || who === "anyone") throw new Error(`${path} cannot be a call of API clients.`);
  return scope;
}

/** Returns the calls with their group. */
export const group = (name: keyof typeof GROUPS, calls: readonly Ungrouped[]): Call[] =>
  calls.map((one) => ({ ...one, group: name, scope: scopeOf(name, one) }));
