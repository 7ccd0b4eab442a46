import { createServer, type RequestListener } from "node:http";
import { type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { addDomain, checkDomain, getDomainFor } from "~/domain/companies/domains/domains.service.server";
import { getConfig } from "~/lib/config.server";
import { personOf } from "./companies";
import { DnsServer } from "./dns-server";

/** A web server at an address of this machine. `serve` answers its requests. */
export class WebServer {
  serve: RequestListener = (_, answer) => answer.writeHead(404).end();
  /** The requests that it got, as host and path. */
  readonly asked: string[] = [];
  private readonly server = createServer((request, answer) => {
    this.asked.push(`${request.headers.host ?? ""}${request.url ?? ""}`);
    this.serve(request, answer);
  });

  constructor(private readonly address = "127.0.0.1") {}

  /** Starts the server. Returns its port. */
  async start(port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(port, this.address, resolve));
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** Serves a text at one path. */
  serveText(path: string, text: string): void {
    this.serve = (request, answer) =>
      request.url === path ? answer.writeHead(200).end(text) : answer.writeHead(404).end();
  }
}

/**
 * Gives the test file two DNS servers, which both must agree, and a web server on the port at which files of challenges are read. Call it
 * after `usePortal`. Before each test, both DNS servers are asked, and private addresses are allowed.
 */
export function useDomainServers() {
  const servers = { first: new DnsServer(), second: new DnsServer(), web: new WebServer(), port: 0 };
  let resolvers: string[] = [];

  beforeAll(async () => {
    resolvers = [await servers.first.start(), await servers.second.start()];
    servers.port = await servers.web.start();
  });

  beforeEach(() => {
    servers.first.isSilent = servers.second.isSilent = false;
    const checkPorts = { http: servers.port, https: servers.port };
    Object.assign(getConfig().names, { resolvers, checkPrivateAddresses: true, checkPorts });
  });

  afterAll(async () => {
    await Promise.all([servers.first.stop(), servers.second.stop(), servers.web.stop()]);
  });

  return {
    ...servers,
    get port() {
      return servers.port;
    },
    /** Publishes the records of a name at both DNS servers. */
    publish: (name: string, zone: DnsServer["zones"][string]): void => {
      servers.first.zones[name] = zone;
      servers.second.zones[name] = zone;
    },
  };
}

export type DomainServers = ReturnType<typeof useDomainServers>;

/** Adds a domain to the company of an owner. Returns its id and the value of its challenge. */
export async function addTo(owner: { id: number }, domain: string): Promise<{ id: number; token: string }> {
  const user = await personOf(owner);
  const id = await addDomain(user, domain);
  return { id, token: (await getDomainFor(user, id)).challenge.record?.value ?? "" };
}

/** Adds a domain to the company of an owner and confirms it by a DNS record. Returns its id. */
export async function confirmByDns(owner: { id: number }, domain: string, { publish }: DomainServers): Promise<number> {
  const { id, token } = await addTo(owner, domain);
  publish(`_marque-challenge.${domain}`, { txt: [token] });
  await checkDomain(await personOf(owner), { id, method: "dns" });
  return id;
}
