import { classOfAddress } from "~/ca/names/special-addresses.server";
import { getConfig } from "~/lib/config.server";
import { type DomainMethod } from "~db/tables";
import { addressesOf, DnsProblem, textsOf } from "./dns.server";
import { ChallengeFileProblem, readFileAt } from "./file.server";
import { fileUrlOf, recordNameOf } from "./proofs.server";

/** The ways that the portal checks by itself. */
export type CheckedMethod = Exclude<DomainMethod, "mail">;

const DISPUTED =
  "The two DNS servers give different answers. Wait until the record is known everywhere, and check again.";

async function recordProblem(domain: string, token: string): Promise<string | null> {
  const name = recordNameOf(domain);
  const { agreed, disputed } = await textsOf(name);
  if (agreed.includes(token)) return null;
  if (disputed.includes(token)) return DISPUTED;
  return agreed.length + disputed.length === 0
    ? `There is no TXT record at ${name}.`
    : `The TXT record at ${name} does not have the expected value.`;
}

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

async function fileProblem(domain: string, token: string): Promise<string | null> {
  const url = fileUrlOf(domain, token);
  for (const address of await addressesToRead(domain))
    if ((await readFileAt(url, address)).trim() !== token)
      return `The file at ${url} does not have the expected content.`;
  return null;
}

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

/**
 * Checks whether a domain shows the random value of its challenge. Must not be called inside a transaction.
 * @returns Null when it does, otherwise what was found instead.
 */
export async function checkControl(
  domain: string,
  method: CheckedMethod,
  token: string,
): Promise<ControlProblem | null> {
  try {
    const text = await PROBLEMS[method](domain, token);
    return text === null ? null : { text, isOwnFault: false, isUnreached: false };
  } catch (error) {
    if (error instanceof DnsProblem)
      return { text: error.message, isOwnFault: error.isUnreachable, isUnreached: false };
    if (error instanceof ChallengeFileProblem)
      return { text: error.message, isOwnFault: false, isUnreached: error.isUnreached };
    throw error;
  }
}
