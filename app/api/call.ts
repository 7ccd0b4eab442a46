import { type z } from "zod";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type TokenOwner } from "~/domain/accounts/tokens/api-tokens.service.server";
import { type RequiredRight } from "~/http/guard.server";

/** Who may make a call: anyone, whoever has a token, or whoever has a token and the right. */
export type Who = "anyone" | "user" | RequiredRight;

/** The side of a call that is about the caller. `address` is the network that the request comes from. */
export interface Caller {
  request: Request;
  address: string;
  user: SessionUser | null;
  owner: TokenOwner | null;
  /** What the path has in place of its braces. */
  params: Readonly<Record<string, string>>;
}

export interface SignedCaller extends Caller {
  user: SessionUser;
  owner: TokenOwner;
}

/** An answer whose text says more than its content (API-02). */
export class Reply<Content> {
  constructor(
    readonly content: Content,
    readonly text: string,
  ) {}
}

type Content<Output extends z.ZodTypeAny> = z.input<Output> | Reply<z.input<Output>>;

interface Description<Input extends z.ZodTypeAny> {
  /** As documented, below `/api/`; found in whatever case. `{name}` stands for one part of the path. */
  path: string;
  method: "GET" | "POST";
  /** One line for readers. */
  summary: string;
  /** What else a reader has to know, as Markdown. */
  notes?: string;
  /** The documented code of a failure that nobody foresaw (API-07). */
  failure?: string;
  /** Why it is refused with a status that not every call like it can have, in words. Whatever is not here is never answered. */
  refuses?: Partial<Record<403 | 404 | 409 | 422, string>>;
  /** What the braces of the path stand for. */
  params?: Readonly<Record<string, string>>;
  /** Headers that mean something to this call only. */
  headers?: z.AnyZodObject;
  /** The query of a GET, the body of a POST. */
  input: Input;
}

/** Describes a file in the answer. */
export interface FileOutput {
  mediaTypes: readonly string[];
  description: string;
}

/** Answered without the wrapper, also when it is refused. */
interface PlainAnswer {
  kind: "plain";
  output: z.ZodTypeAny;
  refusal: z.ZodTypeAny;
  refuse: (error: unknown) => Response;
  /** Statuses of refusals that other plain answers do not have. */
  refusesToo?: readonly number[];
}

/** A row of the table of calls (API-05): routing, checks and the OpenAPI description are made of it. */
export interface Call extends Description<z.ZodTypeAny> {
  who: Who;
  /** Subject, as a heading for readers. */
  group: string;
  /** Answered also while the account has something to do first: details missing, password expired, several accounts. */
  isBeforeDuties: boolean;
  /** `form` as OAuth 2 has it; else JSON. */
  body: "json" | "form";
  answer: { kind: "wrapped"; output: z.ZodTypeAny } | PlainAnswer | { kind: "file"; output: FileOutput };
  handle: (input: unknown, caller: Caller) => Promise<unknown>;
}

type Ungrouped = Omit<Call, "group">;

/** Whoever has to have a token comes with the account that it is for. */
type CallerOf<W extends Who> = W extends "anyone" ? Caller : SignedCaller;

interface WrappedCall<
  W extends Who,
  Input extends z.ZodTypeAny,
  Output extends z.ZodTypeAny,
> extends Description<Input> {
  who: W;
  /** `responseContent`: nothing else than this leaves. */
  output: Output;
  isBeforeDuties?: true;
  handle: (input: z.output<Input>, caller: CallerOf<W>) => Promise<Content<Output>>;
}

const erased = (handle: unknown) => handle as Call["handle"];

/** A call that is answered in the wrapper. */
export const call = <W extends Who, Input extends z.ZodTypeAny, Output extends z.ZodTypeAny>({
  output,
  isBeforeDuties,
  handle,
  ...rest
}: WrappedCall<W, Input, Output>): Ungrouped => ({
  ...rest,
  body: "json",
  isBeforeDuties: isBeforeDuties ?? false,
  answer: { kind: "wrapped", output },
  handle: erased(handle),
});

interface FileCall<W extends Who, Input extends z.ZodTypeAny> extends Description<Input> {
  who: W;
  output: FileOutput;
  handle: (input: z.output<Input>, caller: CallerOf<W>) => Promise<Response>;
}

/** A GET that answers a file. Where it needs a token, that may come in the query as `access_token`, or a ticket in its place. */
export const fileCall = <W extends Who, Input extends z.ZodTypeAny>({
  output,
  handle,
  ...rest
}: FileCall<W, Input>): Ungrouped => ({
  ...rest,
  body: "json",
  isBeforeDuties: false,
  answer: { kind: "file", output },
  handle: erased(handle),
});

/** The groups of calls, in their order, with what they are for: the tags of the description. */
export const GROUPS = {
  Tokens: "Tokens and tickets, which the other calls need",
  "User registration": "Accounts, their details and countries",
  "User security": "Passwords and security questions",
  Configuration: "Settings of the portal that its pages use",
  "Certificate repository": "CA certificates, CRLs and policies, for everybody",
  Certificates: "Orders, renewals and revocations of certificates",
  Downloads: "Files: certificates, invoices and exports",
  Codes: "Orders of ID codes, entities and sub-entities",
  "Sales orders": "Sales orders, for administrators",
} as const;

/** The calls of one subject. */
export const group = (name: keyof typeof GROUPS, calls: readonly Ungrouped[]): Call[] =>
  calls.map((one) => ({ ...one, group: name }));
