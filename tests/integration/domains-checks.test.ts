import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { checkControl } from "~/domain/companies/domains/check.server";
import { FILE_BYTES, FILE_REDIRECTS } from "~/domain/companies/domains/file.server";
import { filePathOf, newToken } from "~/domain/companies/domains/proofs.server";
import { getConfig } from "~/lib/config.server";
import { useDomainServers, WebServer } from "../support/domains";
import { usePortal } from "../support/portal";

usePortal();
const servers = useDomainServers();

const TOKEN = newToken();
const PATH = filePathOf(TOKEN);
const RECORD = "_marque-challenge.acme.example.com";
const HOST = "acme.example.com";

const check = async (method: "dns" | "http", domain = HOST) =>
  (await checkControl(domain, method, TOKEN))?.text ?? "confirmed";

describe("[PUR-03] a DNS record confirms a domain", () => {
  test("when both DNS servers have it, also behind a CNAME and beside other records", async () => {
    servers.publish(RECORD, { txt: ["v=spf1 -all", TOKEN] });
    expect(await check("dns")).toBe("confirmed");
    servers.publish(RECORD, { cname: "challenges.example.net" });
    servers.publish("challenges.example.net", { txt: [TOKEN] });
    expect(await check("dns")).toBe("confirmed");
  });

  test("and does not when it is missing or has another value", async () => {
    servers.publish("_marque-challenge.none.example.com", {});
    expect(await check("dns", "none.example.com")).toBe(
      "There is no TXT record at _marque-challenge.none.example.com.",
    );
    expect(await check("dns", "nowhere.example.com")).toBe(
      "There is no TXT record at _marque-challenge.nowhere.example.com.",
    );
    servers.publish(RECORD, { txt: [TOKEN.slice(1)] });
    expect(await check("dns")).toBe(`The TXT record at ${RECORD} does not have the expected value.`);
  });

  test("and does not when only one of the two DNS servers has it, because an answer may be forged", async () => {
    servers.first.zones[RECORD] = { txt: [TOKEN] };
    servers.second.zones[RECORD] = { txt: ["another value"] };
    expect(await check("dns")).toMatch(/^The two DNS servers give different answers\./);
    servers.second.zones[RECORD] = {};
    expect(await check("dns")).toMatch(/^The two DNS servers give different answers\./);
  });

  test("and a DNS server that does not answer is the portal's own fault", async () => {
    servers.publish(RECORD, { txt: [TOKEN] });
    servers.second.isSilent = true;
    const problem = await checkControl(HOST, "dns", TOKEN);
    expect(problem?.isOwnFault).toBe(true);
    expect(problem?.text).toMatch(/^The DNS server 127\.0\.0\.1:\d+ gave no answer for _marque-challenge\.acme/);
  }, 20_000);
});

describe("[PUR-03] a file on the web server confirms a domain", () => {
  const here = { a: ["127.0.0.1"] };

  test("when it has the value, with or without spaces around it", async () => {
    servers.publish(HOST, here);
    servers.web.serveText(PATH, `${TOKEN}\n`);
    expect(await check("http")).toBe("confirmed");
    expect(servers.web.asked.at(-1)).toBe(`${HOST}:${servers.port}${PATH}`);
  });

  test("and does not with other content, another status or without an address", async () => {
    servers.publish(HOST, here);
    servers.web.serveText(PATH, `<html>${TOKEN}</html>`);
    expect(await check("http")).toMatch(
      /^The file at http:\/\/acme\.example\.com.* does not have the expected content\.$/,
    );
    servers.web.serveText("/", TOKEN);
    expect(await check("http")).toBe("The server answers with status 404 instead of 200.");
    expect(await check("http", "homeless.example.com")).toBe("homeless.example.com has no address in the DNS.");
  });

  test("the name of the file does not tell its content, so that a server that repeats the address proves nothing", async () => {
    servers.publish(HOST, here);
    servers.web.serve = (request, answer) => answer.writeHead(200).end(request.url);
    expect(await check("http")).toContain("does not have the expected content");
    expect(PATH).not.toContain(TOKEN);
  });

  test("private and special-purpose addresses are not asked, unless the configuration says so", async () => {
    getConfig().names.checkPrivateAddresses = false;
    servers.web.serveText(PATH, TOKEN);
    const before = servers.web.asked.length;
    for (const address of ["127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"]) {
      servers.publish(HOST, { a: [address] });
      expect(await check("http")).toBe(
        `${HOST} has the private or special-purpose address ${address}. The portal does not connect to it.`,
      );
    }
    expect(servers.web.asked.length).toBe(before);
  });

  test("at the address that each DNS server gives, because one of the two answers may be forged", async () => {
    const other = new WebServer("127.0.0.2");
    await other.start(servers.port);
    servers.web.serveText(PATH, TOKEN);
    servers.first.zones[HOST] = { a: ["127.0.0.1"] };
    servers.second.zones[HOST] = { a: ["127.0.0.2"] };
    other.serveText(PATH, "not the value");
    expect(await check("http")).toContain("does not have the expected content");
    other.serveText(PATH, TOKEN);
    expect(await check("http")).toBe("confirmed");
    await other.stop();
    servers.second.zones[HOST] = {};
    const before = servers.web.asked.length;
    expect(await check("http")).toMatch(/^The two DNS servers give different answers\./);
    expect(servers.web.asked.length).toBe(before);
  });

  test("the address that was checked is the one that is asked, although the name leads elsewhere meanwhile", async () => {
    const other = new WebServer("127.0.0.2");
    await other.start(servers.port);
    other.serveText(PATH, "the wrong host");
    servers.web.serveText(PATH, TOKEN);
    const turns = [["127.0.0.1"], ["127.0.0.2"]];
    servers.publish("rebound.example.com", { a: turns });
    expect(await check("http", "rebound.example.com")).toBe("confirmed");
    expect(other.asked).toEqual([]);
    await other.stop();
  });

  test("redirects are followed on the same host, a few times", async () => {
    servers.publish(HOST, here);
    servers.web.serve = (request, answer) => {
      const turn = Number(/\d+$/.exec(request.url ?? "")?.[0] ?? NaN);
      if (request.url === PATH) answer.writeHead(301, { Location: "/step1" }).end();
      else if (turn < FILE_REDIRECTS) answer.writeHead(302, { Location: `/step${turn + 1}` }).end();
      else answer.writeHead(200).end(TOKEN);
    };
    expect(await check("http")).toBe("confirmed");
    servers.web.serve = (request, answer) => answer.writeHead(302, { Location: request.url ?? "" }).end();
    expect(await check("http")).toBe(`The server redirects more than ${FILE_REDIRECTS} times.`);
  });

  test("a redirect to a private address, another host, port or scheme is not followed", async () => {
    servers.publish(HOST, here);
    const target = new WebServer("127.0.0.2");
    const port = await target.start();
    const cases = [
      [`http://127.0.0.2:${port}/`, /^The server redirects to 127\.0\.0\.2:\d+; only redirects to the same host/],
      [`http://169.254.169.254/latest/meta-data/`, /^The server redirects to 169\.254\.169\.254; only redirects/],
      [`http://other.example.com:${servers.port}/`, /^The server redirects to other\.example\.com:\d+; only redirects/],
      [`http://${HOST}:${port}/`, /^The server redirects to port \d+; files are read at port \d+ only\.$/],
      ["ftp://acme.example.com/", "The server redirects to ftp: but must stay with http: or https:."],
      ["http://[", /^The server redirects without a valid address\.$/],
    ] as const;
    for (const [location, problem] of cases) {
      servers.web.serve = (_, answer) => answer.writeHead(302, { Location: location }).end();
      expect(await check("http")).toMatch(problem);
    }
    expect(target.asked).toEqual([]);
    await target.stop();
  });

  test("of 100 MB only the beginning is read", async () => {
    servers.publish(HOST, here);
    const [block, size] = [Buffer.alloc(1024 * 1024, "x"), 100 * 1024 * 1024];
    let sent = 0;
    const ended = new Promise<void>((resolve) => {
      servers.web.serve = (_, answer) => {
        answer.writeHead(200, { "Content-Length": size });
        const more = () => {
          sent += block.length;
          if (sent <= size && !answer.destroyed) answer.write(block, more);
        };
        answer.on("close", resolve);
        more();
      };
    });
    expect(await check("http")).toBe(`The file has more than ${FILE_BYTES / 1024} KB.`);
    await ended;
    expect(sent).toBeLessThan(size / 2);
  });

  test("a compressed file is not unpacked", async () => {
    servers.publish(HOST, here);
    servers.web.serve = (_, answer) => answer.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(TOKEN));
    expect(await check("http")).toContain("does not have the expected content");
  });

  test("a server that does not come to an end is given up in time", async () => {
    servers.publish(HOST, here);
    servers.web.serve = (_, answer) => {
      answer.writeHead(200).write(TOKEN);
      const trickle = setInterval(() => answer.write(" "), 500);
      answer.on("close", () => clearInterval(trickle));
    };
    expect(await check("http")).toBe("The server at 127.0.0.1 did not answer within 10 seconds.");
  }, 20_000);

  test("a server that cannot be reached, or breaks off, is named", async () => {
    servers.publish(HOST, { a: ["127.0.0.3"] });
    expect(await check("http")).toBe("The server at 127.0.0.3 accepts no connection (ECONNREFUSED).");
    servers.publish(HOST, here);
    servers.web.serve = (request) => request.socket.destroy();
    expect(await check("http")).toBe("The server at 127.0.0.1 broke the connection off (ECONNRESET).");
  });
});
