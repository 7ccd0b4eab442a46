import { type z } from "zod";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type TokenOwner } from "~/domain/accounts/tokens/api-tokens.service.server";
import { type Right } from "~/http/guard.server";

/** Who may make a call: anyone, whoever has a token, or whoever has a token and the right. */
export type Who = "anyone" | "user" | Right;

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

/** An answer whose text says more than its content (A §7: `responseText`). */
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
  /** The documented code of a failure that nobody foresaw (A §8, B §8). */
  failure?: string;
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
}

/** A row of the table of calls (decisions §7): routing, checks and the OpenAPI description are made of it. */
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

interface WrappedCall<Input extends z.ZodTypeAny, Output extends z.ZodTypeAny, By> extends Description<Input> {
  /** `responseContent`: nothing else than this leaves. */
  output: Output;
  isBeforeDuties?: true;
  handle: (input: z.output<Input>, caller: By) => Promise<Content<Output>>;
}

const erased = (handle: unknown) => handle as Call["handle"];

/** A call with a token. */
export const call = <Input extends z.ZodTypeAny, Output extends z.ZodTypeAny>({
  output,
  isBeforeDuties = undefined,
  handle,
  ...rest
}: WrappedCall<Input, Output, SignedCaller> & { who: Exclude<Who, "anyone"> }): Ungrouped => ({
  ...rest,
  body: "json",
  isBeforeDuties: isBeforeDuties ?? false,
  answer: { kind: "wrapped", output },
  handle: erased(handle),
});

/** A call that needs no token. */
export const openCall = <Input extends z.ZodTypeAny, Output extends z.ZodTypeAny>({
  output,
  handle,
  ...rest
}: Omit<WrappedCall<Input, Output, Caller>, "isBeforeDuties">): Ungrouped => ({
  ...rest,
  who: "anyone",
  body: "json",
  isBeforeDuties: true,
  answer: { kind: "wrapped", output },
  handle: erased(handle),
});

interface FileCall<Input extends z.ZodTypeAny, By> extends Description<Input> {
  output: FileOutput;
  handle: (input: z.output<Input>, caller: By) => Promise<Response>;
}

/** A GET that answers a file: the token may come in the query as `access_token`, or a ticket in its place. */
export const fileCall = <Input extends z.ZodTypeAny>({
  output,
  handle,
  ...rest
}: FileCall<Input, SignedCaller> & { who: Exclude<Who, "anyone"> }): Ungrouped => ({
  ...rest,
  body: "json",
  isBeforeDuties: false,
  answer: { kind: "file", output },
  handle: erased(handle),
});

/** A file for everybody. */
export const openFileCall = <Input extends z.ZodTypeAny>({
  output,
  handle,
  ...rest
}: FileCall<Input, Caller>): Ungrouped => ({
  ...rest,
  who: "anyone",
  body: "json",
  isBeforeDuties: true,
  answer: { kind: "file", output },
  handle: erased(handle),
});

/** The calls of one subject. */
export const group = (name: string, calls: readonly Ungrouped[]): Call[] =>
  calls.map((one) => ({ ...one, group: name }));
