import { Resolver } from "node:dns/promises";
import { suffixOf } from "~/ca/names/special-names.server";
import { getConfig } from "~/lib/config.server";

/** How long one question to a DNS server may take, in milliseconds, and how often it is asked. */
const QUESTION = { timeout: 2_500, tries: 2 };

/** The codes of a DNS server that cannot be reached, does not answer in time, or can find nothing out itself. */
const NO_ANSWER = ["ECONNREFUSED", "ETIMEOUT", "ESERVFAIL", "EREFUSED"];

/** A DNS server that gives no answer. The message is a sentence for people. */
export class DnsProblem extends Error {
  /** Whether the server answers nothing at all, so that nothing was found out about the name. */
  readonly isUnreachable: boolean;

  constructor(name: string, server: string, { code, isUnreachable }: { code: string; isUnreachable: boolean }) {
    super(`The DNS server ${server} gave no answer for ${name} (${code}).`);
    this.isUnreachable = isUnreachable;
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

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

/**
 * Returns whether a server that gave no answer for a name answers at all: for the public suffix above it. Then the zone of the name is broken,
 * which is how a domain looks that its owner has given up.
 */
async function answersOtherwise(resolver: Resolver, name: string): Promise<boolean> {
  try {
    await resolver.resolveNs(suffixOf(name).publicSuffix ?? name);
    return true;
  } catch (error) {
    return NO_RECORD.includes(codeOf(error));
  }
}

async function answerOf(resolver: Resolver, question: Question, name: string): Promise<string[]> {
  try {
    return await question(resolver);
  } catch (error) {
    const code = codeOf(error);
    if (NO_RECORD.includes(code)) return [];
    const isUnreachable = NO_ANSWER.includes(code) && !(await answersOtherwise(resolver, name));
    throw new DnsProblem(name, resolver.getServers()[0] ?? "", { code, isUnreachable });
  }
}

/** Asks every DNS server. Throws a DnsProblem when one gives no answer. */
const askEach = (question: Question, name: string): Promise<string[][]> =>
  Promise.all(resolvers().map((resolver) => answerOf(resolver, question, name)));

/** Asks every DNS server, and compares the answers. Throws a DnsProblem when one gives no answer. */
async function askAll(question: Question, name: string): Promise<DnsAnswer> {
  const answers = await askEach(question, name);
  const all = [...new Set(answers.flat())];
  const isAgreed = (value: string) => answers.every((answer) => answer.includes(value));
  return { agreed: all.filter(isAgreed), disputed: all.filter((value) => !isAgreed(value)) };
}

/** Returns the TXT records of a name, each as one text. Throws a DnsProblem when a DNS server gives no answer. */
export const textsOf = (name: string): Promise<DnsAnswer> =>
  askAll(async (resolver) => (await resolver.resolveTxt(name)).map((parts) => parts.join("")), name);

/**
 * Returns the addresses of a host by each DNS server, IPv4 first. Two servers may give different ones, as those of a host in several places
 * of the world. Throws a DnsProblem when a DNS server gives no answer.
 */
export async function addressesOf(host: string): Promise<string[][]> {
  const answers = await askEach((resolver) => resolver.resolve4(host), host);
  if (answers.every((addresses) => addresses.length > 0)) return answers;
  const others = await askEach((resolver) => resolver.resolve6(host), host);
  return answers.map((addresses, index) => [...addresses, ...(others[index] ?? [])]);
}
