import { classOfAddress } from "~/ca/names/special-addresses.server";
import { getConfig } from "~/lib/config.server";
import { type DomainMethod } from "~db/tables";
import { addressesOf, DnsProblem, textsOf } from "./dns.server";
import { ChallengeFileProblem, readFileAt } from "./file.server";
import { fileUrlOf, hostUrl, recordNameOf } from "./proofs.server";

/** The ways that the portal checks by itself. */
export type CheckedMethod = Exclude<DomainMethod, "mail">;

const DISPUTED =
  "The two DNS servers give different answers. Wait until the record is known everywhere, and check again.";

/** Returns why no TXT record of this name has the value, or null when one has. */
async function valueProblem(name: string, token: string): Promise<string | null> {
  const { agreed, disputed } = await textsOf(name);
  if (agreed.includes(token)) return null;
  if (disputed.includes(token)) return DISPUTED;
  return agreed.length + disputed.length === 0
    ? `There is no TXT record at ${name}.`
    : `The TXT record at ${name} does not have the expected value.`;
}

const recordProblem = (domain: string, token: string) => valueProblem(recordNameOf(domain), token);

/**
 * Returns the addresses at which the file must be: the first one that each DNS server gives. Throws a ChallengeFileProblem when a server gives
 * none, or a private one.
 */
async function addressesToRead(domain: string): Promise<string[]> {
  const answers = await addressesOf(domain);
  const special = getConfig().names.checkPrivateAddresses
    ? undefined
    : answers.flat().find((candidate) => classOfAddress(candidate) !== null);
  if (special !== undefined)
    throw new ChallengeFileProblem(
      `${domain} has the private or special-purpose address ${special}. The portal does not connect to it.`,
    );
  const first = answers.flatMap(([address]) => address ?? []);
  if (first.length < answers.length)
    throw new ChallengeFileProblem(first.length > 0 ? DISPUTED : `${domain} has no address in the DNS.`);
  return [...new Set(first)];
}

/** Returns why the file at an http URL of a host does not have this content, or null when it has. */
async function contentProblem(url: string, domain: string, content: string): Promise<string | null> {
  for (const address of await addressesToRead(domain))
    if ((await readFileAt(url, address)).trim() !== content)
      return `The file at ${url} does not have the expected content.`;
  return null;
}

const fileProblem = (domain: string, token: string) => contentProblem(fileUrlOf(domain, token), domain, token);

const PROBLEMS: Record<CheckedMethod, typeof recordProblem> = { dns: recordProblem, http: fileProblem };

/** Why a domain does not show the value. */
export interface ControlProblem {
  /** A sentence for people. */
  text: string;
  /** Whether a DNS server of the portal did not answer, so that nothing was found out about the domain. */
  isOwnFault: boolean;
  /** Whether no web server answered. When that is so for all domains, the fault is the portal's. */
  isUnreached: boolean;
}

async function problemOf(work: () => Promise<string | null>): Promise<ControlProblem | null> {
  try {
    const text = await work();
    return text === null ? null : { text, isOwnFault: false, isUnreached: false };
  } catch (error) {
    if (error instanceof DnsProblem)
      return { text: error.message, isOwnFault: error.isUnreachable, isUnreached: false };
    if (error instanceof ChallengeFileProblem)
      return { text: error.message, isOwnFault: false, isUnreached: error.isUnreached };
    throw error;
  }
}

/**
 * Checks whether a domain shows the random value of its challenge. Must not be called inside a transaction.
 * @returns Null when it does, otherwise what was found instead.
 */
export const checkControl = (domain: string, method: CheckedMethod, token: string): Promise<ControlProblem | null> =>
  problemOf(() => PROBLEMS[method](domain, token));

/** Does the same for a file at the path of a host that a client of ours chose by a standard (RFC 8555 §8.3). */
export const checkFile = (host: string, path: string, content: string): Promise<ControlProblem | null> =>
  problemOf(() => contentProblem(hostUrl(host, path), host, content));

/** Does the same for a TXT record with this name (RFC 8555 §8.4). */
export const checkRecord = (name: string, value: string): Promise<ControlProblem | null> =>
  problemOf(() => valueProblem(name, value));
