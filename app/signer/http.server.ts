import { type IncomingMessage, type RequestListener } from "node:http";
import { BODIES, lengthOf, LONGEST_STANDING_BODY, readBytes, readRequest } from "./bodies.server";
import { type Books } from "./books.server";
import { type SigningIssuer } from "./issuers.server";
import { listenerOf, noSuchRequest } from "./listener.server";
import { type NewKeys } from "./new-keys.server";
import { type People } from "./people.server";
import { LARGEST_REQUEST, type SignerFactors, type StandingGrants } from "./protocol";
import { Refusal } from "./refusal.server";
import { type Signing } from "./signing.server";

/** Requests that are larger than this are CRLs. They are read one after the other, so that they do not fill the memory. */
const SMALL_REQUEST = 64 * 1024;

/** What a signer that runs consists of. */
export interface SignerProcess {
  signing: Signing;
  newKeys: NewKeys;
  /** Opens the key of a CA whose certificate has arrived. */
  open: (name: string) => Promise<SigningIssuer>;
  people: People;
  books: Books;
}

/** Returns the number of the standing authorisation that a request to sign names, or null. */
function standingIn({ searchParams }: URL): number | null {
  const text = searchParams.get("standing");
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw new Refusal("malformed", "'standing' must be the number of an authorisation.");
  return Number(text);
}

const listStanding = async (people: People): Promise<StandingGrants> => ({ grants: await people.listStanding() });

/** From which side a request comes. The journal has it before the name that the request says. */
type Side = "the portal:" | "operator";

/** Returns who takes a right away, for the journal. The portal cannot name an operator of the signer there. */
const whoRemoves = async (request: IncomingMessage, side: Side): Promise<string> =>
  `${side} ${(await readRequest(request, BODIES.removal)).by}`;

/** Withdraws the standing grant that the path names. Returns null for another path. */
async function withdrawn(
  request: IncomingMessage,
  { pathname }: URL,
  people: People,
  side: Side,
): Promise<object | null> {
  const [, number] = /^\/standing-grants\/(\d{1,15})\/withdraw$/.exec(pathname) ?? [];
  if (number === undefined) return null;
  await people.withdrawStanding(Number(number), await whoRemoves(request, side));
  return {};
}

/** Returns the listener for the requests of the portal (`protocol.ts`). */
export function portalListener({ signing, people, books, newKeys, open }: SignerProcess): RequestListener {
  let lastLarge: Promise<unknown> = Promise.resolve();

  async function sign(name: string, request: IncomingMessage, url: URL): Promise<Uint8Array> {
    const length = lengthOf(request, LARGEST_REQUEST);
    const standing = standingIn(url);
    const work = async () => signing.sign(name, await readBytes(request, length), standing);
    if (length <= SMALL_REQUEST) return work();
    const turn = lastLarge.then(work);
    lastLarge = turn.catch(() => undefined);
    return turn;
  }

  async function page(after: number) {
    if (!Number.isSafeInteger(after) || after < 0) throw new Refusal("malformed", "'after' must be a line number.");
    return (await books.open()).journal.page(after);
  }

  async function ofNewKey(request: IncomingMessage, { pathname, searchParams }: URL): Promise<object | null> {
    const [, kind, name] = /^\/(keys|requests|issuers)\/([a-z][a-z0-9-]{1,62})$/.exec(pathname) ?? [];
    if (kind === undefined || name === undefined) return null;
    signing.requireFree(name);
    if (kind === "keys") return newKeys.make(name, await readRequest(request, BODIES.newKey));
    const bytes = await readBytes(request, lengthOf(request, SMALL_REQUEST));
    if (kind === "requests") {
      const hash = searchParams.get("hash") === "sha512" ? "sha512" : "sha256";
      return newKeys.signRequest(name, { key: searchParams.get("key") ?? "", hash }, bytes);
    }
    await newKeys.install(name, bytes);
    await signing.add(await open(name));
    return {};
  }

  async function post(request: IncomingMessage, url: URL): Promise<object> {
    const path = url.pathname;
    const [, name] = /^\/sign\/([\w.-]+)$/.exec(path) ?? [];
    if (name !== undefined) return sign(name, request, url);
    const answer = (await ofNewKey(request, url)) ?? (await withdrawn(request, url, people, "the portal:"));
    if (answer) return answer;
    if (path === "/grants") return { grant: await people.grant(await readRequest(request, BODIES.grant)) };
    if (path === "/standing-grants")
      return { grant: await people.grantStanding(await readRequest(request, BODIES.standing, LONGEST_STANDING_BODY)) };
    if (path === "/factors") return { factor: await people.offer(await readRequest(request, BODIES.offer)) };
    const [, id] = /^\/factors\/([\w-]+)\/remove$/.exec(path) ?? [];
    if (id === undefined) throw noSuchRequest();
    await people.remove(id, await whoRemoves(request, "the portal:"));
    return {};
  }

  return listenerOf(async (request, url) => {
    const { pathname, searchParams } = url;
    if (request.method === "POST") return post(request, url);
    if (request.method !== "GET") throw noSuchRequest();
    if (pathname === "/state") return signing.state();
    if (pathname === "/factors") return { factors: await people.list() } satisfies SignerFactors;
    if (pathname === "/standing-grants") return listStanding(people);
    if (pathname === "/journal") return page(Number(searchParams.get("after") ?? "0"));
    throw noSuchRequest();
  });
}

/** Returns the listener for the requests of the signer's operators, which only the user of the signer can send. */
export const operatorListener = ({ people }: Pick<SignerProcess, "people">): RequestListener =>
  listenerOf(async (request, url) => {
    const { pathname } = url;
    if (request.method === "GET" && pathname === "/factors") return { factors: await people.list() };
    if (request.method === "GET" && pathname === "/standing-grants") return listStanding(people);
    if (request.method !== "POST") throw noSuchRequest();
    const answer = await withdrawn(request, url, people, "operator");
    if (answer) return answer;
    if (pathname === "/apps") return { factor: await people.addApp(await readRequest(request, BODIES.app)) };
    const [, id, act] = /^\/factors\/([\w-]+)\/(accept|remove)$/.exec(pathname) ?? [];
    if (id === undefined) throw noSuchRequest();
    if (act === "accept") await people.accept(id, (await readRequest(request, BODIES.acceptance)).operator);
    else await people.remove(id, await whoRemoves(request, "operator"));
    return {};
  });
