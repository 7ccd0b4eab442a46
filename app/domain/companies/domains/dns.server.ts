import { Resolver } from "node:dns/promises";
import { getConfig } from "~/lib/config.server";

/** How long one question to a DNS server may take, in milliseconds, and how often it is asked. */
const QUESTION = { timeout: 2_500, tries: 2 };

/** The codes of a DNS server that cannot be reached, or does not answer in time. */
const UNREACHABLE = ["ECONNREFUSED", "ETIMEOUT"];

/** A DNS server that gives no answer. The message is a sentence for people. */
export class DnsProblem extends Error {
  /** Whether the server cannot be reached at all. */
  readonly isUnreachable: boolean;

  constructor(name: string, server: string, code: string) {
    super(`The DNS server ${server} gave no answer for ${name} (${code}).`);
    this.isUnreachable = UNREACHABLE.includes(code);
  }
}

/** What the DNS servers say: the values that each of them gives, and those that only one gives. */
export interface DnsAnswer {
  agreed: string[];
  disputed: string[];
}

/** Returns a resolver for each configured DNS server, or one for those of the system. */
function resolvers(): Resolver[] {
  const { resolvers: servers } = getConfig().names;
  if (servers.length === 0) return [new Resolver(QUESTION)];
  return servers.map((server) => {
    const resolver = new Resolver(QUESTION);
    resolver.setServers([server]);
    return resolver;
  });
}

/** The codes with which a name that has no such record is answered. */
const NO_RECORD = ["ENOTFOUND", "ENODATA"];

type Question = (resolver: Resolver) => Promise<string[]>;

async function answerOf(resolver: Resolver, question: Question, name: string): Promise<string[]> {
  try {
    return await question(resolver);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (NO_RECORD.includes(code)) return [];
    throw new DnsProblem(name, resolver.getServers()[0] ?? "", code);
  }
}

/** Asks every DNS server. Throws a DnsProblem when one gives no answer. */
async function askAll(question: Question, name: string): Promise<DnsAnswer> {
  const answers = await Promise.all(resolvers().map((resolver) => answerOf(resolver, question, name)));
  const all = [...new Set(answers.flat())];
  const isAgreed = (value: string) => answers.every((answer) => answer.includes(value));
  return { agreed: all.filter(isAgreed), disputed: all.filter((value) => !isAgreed(value)) };
}

/** Returns the TXT records of a name, each as one text. Throws a DnsProblem when a DNS server gives no answer. */
export const textsOf = (name: string): Promise<DnsAnswer> =>
  askAll(async (resolver) => (await resolver.resolveTxt(name)).map((parts) => parts.join("")), name);

/** Returns the addresses of a host, IPv4 first. Throws a DnsProblem when a DNS server gives no answer. */
export async function addressesOf(host: string): Promise<DnsAnswer> {
  const [four, six] = await Promise.all([
    askAll((resolver) => resolver.resolve4(host), host),
    askAll((resolver) => resolver.resolve6(host), host),
  ]);
  return { agreed: [...four.agreed, ...six.agreed], disputed: [...four.disputed, ...six.disputed] };
}
