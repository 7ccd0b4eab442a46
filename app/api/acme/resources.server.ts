import { changeKey, findOrMakeAccount, accountView, readOrDeactivate } from "~/domain/acme/accounts.service.server";
import { readOrDeactivateAuthorization, readOrTryChallenge } from "~/domain/acme/authorizations.service.server";
import { readChain } from "~/domain/acme/certificates.service.server";
import { finalizeOrder } from "~/domain/acme/finalizing.service.server";
import { type WholeAcmeOrder } from "~/domain/acme/order-status.server";
import { listOrders, makeOrder, orderView, requireOrder } from "~/domain/acme/orders.service.server";
import { AcmeProblem } from "~/domain/acme/problem";
import { ACME_PROFILES } from "~/domain/acme/profiles.policy";
import { RENEWAL_INFO_RETRY_S, renewalWindow } from "~/domain/acme/renewal-info.service.server";
import { revokeNamed } from "~/domain/acme/revocation.service.server";
import { acmeUrls } from "~/domain/acme/urls.server";
import { type Client } from "~/domain/security-events/client";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";
import { type AcmeChallengeType } from "~db/tables";
import { type AcmeAnswer, link } from "./answers.server";
import { type SignedRequest, type SignedBy } from "./signed-request.server";

/** What a resource knows of its request. */
export interface AcmeRequest {
  method: string;
  /** The parts of the path that its pattern names. */
  params: readonly string[];
  query: URLSearchParams;
  client: Client;
}

type Read = (asked: AcmeRequest) => AcmeAnswer | Promise<AcmeAnswer>;
type Write = (signed: SignedRequest, asked: AcmeRequest) => Promise<AcmeAnswer>;
type WriteOfAccount = (
  signed: Omit<SignedRequest, "account"> & { account: BoundAccount },
  asked: AcmeRequest,
) => Promise<AcmeAnswer>;

/** A resource of the ACME server. One that is read needs no signature; every other one is asked by POST (RFC 8555 §6.3). */
export interface AcmeResource {
  /** The path below `/acme/`, with `*` for an id and `+` for another part. */
  pattern: string;
  read?: Read;
  write?: { by: SignedBy; answer: Write };
}

const byAccount = (pattern: string, answer: WriteOfAccount): AcmeResource => ({
  pattern,
  write: {
    by: "account",
    answer: ({ account, ...signed }, asked) => {
      if (!account) throw new Error("A request without an account reached a resource of accounts.");
      return answer({ ...signed, account }, asked);
    },
  },
});

const idOf = ({ params: [id = ""] }: AcmeRequest): number => Number(id);

/** Throws an AcmeProblem unless the payload is empty, as that of every request that only reads (RFC 8555 §6.3). */
function requireEmpty({ payload }: Pick<SignedRequest, "payload">): void {
  if (payload !== "") throw new AcmeProblem("malformed", "This is read with an empty payload (POST-as-GET).");
}

/** Throws an AcmeProblem `unauthorized` unless the account asks about itself. */
function requireSelf({ account }: { account: BoundAccount }, asked: AcmeRequest): void {
  if (account.id !== idOf(asked)) throw new AcmeProblem("unauthorized", "The request is signed by another account.");
}

const directory = () => ({
  newNonce: acmeUrls.newNonce(),
  newAccount: acmeUrls.newAccount(),
  newOrder: acmeUrls.newOrder(),
  revokeCert: acmeUrls.revokeCert(),
  keyChange: acmeUrls.keyChange(),
  renewalInfo: acmeUrls.renewalInfo(),
  meta: {
    termsOfService: getEnv().publicUrl + paths.policy("subscriber-agreement"),
    website: getEnv().publicUrl,
    externalAccountRequired: true,
    profiles: ACME_PROFILES,
  },
});

async function orderAnswer(whole: WholeAcmeOrder, status = 200): Promise<AcmeAnswer> {
  const { order, retryAfter } = await orderView(whole, new Date());
  return { status, body: order, headers: { Location: acmeUrls.order(whole.row.id) }, retryAfter };
}

const PEM_CHAIN = "application/pem-certificate-chain";

const chainOf =
  (isWithRoot: boolean): WriteOfAccount =>
  async (signed, asked) => {
    requireEmpty(signed);
    const id = idOf(asked);
    const content = await readChain(signed.account, { id, isWithRoot, client: asked.client });
    const other = acmeUrls.certificate(id) + (isWithRoot ? "" : "/root");
    return { text: { type: PEM_CHAIN, content }, links: [link(other, "alternate")] };
  };

/** The resources of the ACME server (RFC 8555 §7.1, RFC 9773). */
export const ACME_RESOURCES: readonly AcmeResource[] = [
  { pattern: "directory", read: () => ({ body: directory() }) },
  { pattern: "new-nonce", read: ({ method }) => ({ status: method === "HEAD" ? 200 : 204 }) },
  {
    pattern: "renewal-info/+",
    read: async ({ params: [identifier = ""] }) => ({
      body: { suggestedWindow: await renewalWindow(identifier) },
      retryAfter: RENEWAL_INFO_RETRY_S,
    }),
  },
  {
    pattern: "new-account",
    write: {
      by: "key",
      answer: async ({ payload, key }, { client }) => {
        const { account, isNew } = await findOrMakeAccount(payload, key, client);
        const headers = { Location: acmeUrls.account(account.id) };
        return { status: isNew ? 201 : 200, body: accountView(account), headers };
      },
    },
  },
  byAccount("account/*", async (signed, asked) => {
    requireSelf(signed, asked);
    return { body: await readOrDeactivate(signed.payload, signed.account, asked.client) };
  }),
  byAccount("account/*/orders", async (signed, asked) => {
    requireSelf(signed, asked);
    requireEmpty(signed);
    const before = asked.query.get("before") ?? "";
    const { orders, next } = await listOrders(signed.account, /^\d{1,9}$/.test(before) ? Number(before) : null);
    return { body: { orders }, links: next === null ? [] : [link(next, "next")] };
  }),
  byAccount("key-change", async ({ payload, account }, { client }) => ({
    body: await changeKey(payload, account, client),
    headers: { Location: acmeUrls.account(account.id) },
  })),
  byAccount("new-order", async ({ payload, account }) => orderAnswer(await makeOrder(payload, account), 201)),
  byAccount("order/*", async (signed, asked) => {
    requireEmpty(signed);
    return orderAnswer(await requireOrder(signed.account, idOf(asked)));
  }),
  byAccount("order/*/finalize", async ({ payload, account }, asked) =>
    orderAnswer(await finalizeOrder(payload, account, { id: idOf(asked), client: asked.client })),
  ),
  byAccount("authorization/*", async ({ payload, account }, asked) => ({
    body: await readOrDeactivateAuthorization(payload, account, idOf(asked)),
  })),
  byAccount("challenge/*/+", async ({ payload, account }, asked) => {
    const type = asked.params[1] as AcmeChallengeType;
    const { challenge, authorization } = await readOrTryChallenge(payload, account, { id: idOf(asked), type });
    return { body: challenge, links: [link(authorization, "up")] };
  }),
  byAccount("certificate/*", chainOf(false)),
  byAccount("certificate/*/root", chainOf(true)),
  {
    pattern: "revoke-cert",
    write: {
      by: "either",
      answer: async ({ payload, account, key, jws }, { client }) => {
        const evidence = `the ACME request ${JSON.stringify(jws)}`;
        await revokeNamed(payload, account ? { account } : { key, evidence }, client);
        return { status: 200 };
      },
    },
  },
];

/** Returns the expression of a pattern. */
const expressionOf = (pattern: string) =>
  new RegExp(`^${pattern.replaceAll("*", String.raw`([1-9]\d{0,8})`).replaceAll("+", "([^/]+)")}$`);

const RULES = ACME_RESOURCES.map((resource) => ({ resource, expression: expressionOf(resource.pattern) }));

/** Finds the resource at a path below `/acme/`, with the parts of the path that its pattern names. Returns null when there is none. */
export function findResource(path: string): { resource: AcmeResource; params: string[] } | null {
  for (const { resource, expression } of RULES) {
    const matched = expression.exec(path);
    if (matched) return { resource, params: matched.slice(1) };
  }
  return null;
}
