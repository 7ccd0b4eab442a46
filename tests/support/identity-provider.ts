import { createPrivateKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { afterAll, afterEach, beforeAll } from "vitest";
import { getConfig } from "~/lib/config.server";
import { nextRsaKey } from "./keys";
import { setVariable, TEST_ORIGIN } from "./variables";

const CLIENT = { OIDC_CLIENT_ID: "marque", OIDC_CLIENT_SECRET: "the portal's secret at the provider" };

/** What the provider says about a person, and how it recognised them. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  groups?: string[];
  given_name?: string;
  family_name?: string;
  amr?: string[];
  acr?: string;
}

type TokenClaims = Record<string, unknown>;

const decoded = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as TokenClaims;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A real OpenID provider on loopback. It logs in `person` without asking, or denies the login when there is none. */
export class IdentityProvider {
  person: Person | null = null;
  /** Changes the claims of the tokens before the portal gets them. They are signed again. */
  alter: (claims: TokenClaims) => TokenClaims = (claims) => claims;
  /** Whether the signature of the tokens is broken. */
  signsWrongly = false;
  /** Whether the provider's answers fail, as behind a proxy that has lost it. */
  isDown = false;
  /** The addresses to which the portal has sent browsers. */
  readonly asked: URL[] = [];
  issuer = "";
  private readonly key = nextRsaKey();
  private provider: Provider | undefined;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  /** Starts to listen. Returns the variables of a portal that uses the provider. */
  async listen(): Promise<Record<string, string>> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return { OIDC_ISSUER: this.issuer, ...CLIENT };
  }

  /** Registers the portal at this address, and returns the variables of the portal. */
  async start(portal = TEST_ORIGIN): Promise<Record<string, string>> {
    const variables = this.issuer === "" ? await this.listen() : { OIDC_ISSUER: this.issuer, ...CLIENT };
    this.provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.OIDC_CLIENT_ID,
          client_secret: CLIENT.OIDC_CLIENT_SECRET,
          redirect_uris: [`${portal}/login/sso/callback`],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      jwks: { keys: [{ ...createPrivateKey(this.key).export({ format: "jwk" }), kid: "tests", use: "sig" }] },
      cookies: { keys: ["a key of the tests"] },
      conformIdTokenClaims: false,
      claims: {
        openid: ["sub", "amr", "acr", "auth_time"],
        email: ["email", "email_verified"],
        profile: ["given_name", "family_name", "groups"],
      },
      acrValues: ["two"],
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ ...this.person, sub: id }) }),
      pkce: { required: () => true },
      ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 60, Session: 60, Grant: 60 },
    });
    return variables;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "/" } = request;
    if (this.isDown) return void response.writeHead(503).end();
    if (url.startsWith("/auth?")) this.asked.push(new URL(url, this.issuer));
    if (url.startsWith("/interaction/")) return this.interact(request, response);
    if (url === "/token") this.alterAnswer(response);
    await this.provider?.callback()(request, response);
  }

  private async interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { provider, person } = this;
    if (!provider) return;
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (!person) return provider.interactionFinished(request, response, { error: "access_denied" });
    if (prompt.name === "login") {
      const { sub: accountId, amr, acr } = person;
      return provider.interactionFinished(request, response, { login: { accountId, amr, acr } });
    }
    const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }

  /** Changes the token in the answer as `alter` says. */
  private alterAnswer(response: ServerResponse): void {
    const end = response.end.bind(response) as (body: string) => ServerResponse;
    response.end = ((body: unknown) => {
      const answer = JSON.parse(String(body)) as { id_token?: string };
      if (answer.id_token !== undefined) answer.id_token = this.signedAgain(answer.id_token);
      const text = JSON.stringify(answer);
      response.setHeader("Content-Length", Buffer.byteLength(text));
      return end(text);
    }) as typeof response.end;
  }

  private signedAgain(token: string): string {
    const [header = "", payload] = token.split(".");
    const text = `${header}.${encoded(this.alter(decoded(payload)))}`;
    const signed = this.signsWrongly ? "another text" : text;
    return `${text}.${sign("sha256", Buffer.from(signed), this.key).toString("base64url")}`;
  }
}

/** Follows the provider's redirects as a browser with its own cookies there, and returns the address at the portal that it ends with. */
export async function followProvider(address: string, jar = new Map<string, string>()): Promise<string> {
  let url = address;
  while (!url.startsWith(TEST_ORIGIN)) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { Cookie: cookie } });
    await answer.arrayBuffer();
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const next = answer.headers.get("Location");
    if (next === null) throw new Error(`The provider answered ${answer.status} at ${url}.`);
    url = new URL(next, url).href;
  }
  return url;
}

/** The groups of the tests and the rights that they give. */
const RIGHTS = {
  "ca-officers": ["registration-officer"],
  "ca-approvers": ["approver", "finance"],
  "ca-admins": ["admin"],
};

/** Changes `accounts.singleSignOn` of the configuration file, as before a restart. */
export function configureSignOn(change: Record<string, unknown> = {}, file = process.env.PORTAL_CONFIG ?? ""): void {
  const config = JSON.parse(readFileSync(file, "utf8")) as { accounts: Record<string, unknown> };
  const secondFactor = { amr: ["mfa"], acr: ["two"] };
  config.accounts.singleSignOn = { name: "Example ID", rights: RIGHTS, secondFactor, ...change };
  writeFileSync(file, JSON.stringify(config));
  getConfig.clear();
}

/** Gives the portal of the test file an identity provider. Call it after `usePortal`. */
export function useIdentityProvider(): IdentityProvider {
  const provider = new IdentityProvider();
  beforeAll(async () => {
    for (const [name, value] of Object.entries(await provider.start())) setVariable(name, value);
    configureSignOn();
  });
  afterEach(() => {
    provider.person = null;
    provider.alter = (claims) => claims;
    provider.isDown = false;
    provider.signsWrongly = false;
    provider.asked.length = 0;
  });
  afterAll(() => provider.stop());
  return provider;
}
