import { isIP } from "node:net";
import { classOfAddress, unmappedAddress } from "~/ca/names/special-addresses.server";
import { addressesOf, DnsProblem } from "~/domain/companies/domains/dns.server";
import { getConfig } from "~/lib/config.server";
import { type Network, parseNetwork, withinNetworks } from "~/lib/networks.server";

/** An address to which nothing is sent. The message is a sentence for people. */
export class WebhookTargetProblem extends Error {}

/** Where a request goes: the URL, and the address of its host that was checked. */
export interface WebhookTarget {
  url: URL;
  address: string;
  /** Whether the address is in one of the operator's own networks (`webhooks.insideNetworks`). */
  isInside: boolean;
}

/** Returns a typed address as a URL. Throws a WebhookTargetProblem that says which rule it breaks. */
export function readWebhookUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new WebhookTargetProblem("Enter a whole address, such as https://www.example.com/hook.");
  const url = new URL(text);
  if (!["https:", "http:"].includes(url.protocol))
    throw new WebhookTargetProblem(`The address must begin with https://, not with ${url.protocol}//.`);
  if (url.username !== "" || url.password !== "")
    throw new WebhookTargetProblem(
      "The address must have no user name and no password. The signature shows who sends.",
    );
  if (text.includes("#")) throw new WebhookTargetProblem("The address must have no fragment (the part after #).");
  return url;
}

/** Returns a function that says whether an address is in the operator's own networks. */
function insideNetworks(): (address: string) => boolean {
  const networks = getConfig().webhooks.insideNetworks.map((entry) => parseNetwork(entry) as Network);
  const contains = withinNetworks(networks);
  return (address) => contains(unmappedAddress(address));
}

/** Returns the addresses of a host by every DNS server. The URL parser has turned every other form of an address into the usual one. */
async function listAddresses(hostname: string): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0) return [literal];
  try {
    return (await addressesOf(hostname)).flat();
  } catch (error) {
    if (error instanceof DnsProblem) throw new WebhookTargetProblem(error.message);
    throw error;
  }
}

/**
 * Finds the address to which a request goes. Every address of the host is checked, and the request must go to the one that is returned,
 * whatever the name of the host resolves to a moment later. Must not be called inside a transaction.
 *
 * @throws WebhookTargetProblem when the host has no address, or any address that is private or for special purposes, or when the request
 * would not be encrypted.
 */
export async function findWebhookTarget(url: URL): Promise<WebhookTarget> {
  const addresses = await listAddresses(url.hostname);
  const [address] = addresses;
  if (address === undefined) throw new WebhookTargetProblem(`${url.hostname} has no address in the DNS.`);
  const isWithin = insideNetworks();
  const special = addresses.find((candidate) => classOfAddress(candidate) !== null && !isWithin(candidate));
  if (special !== undefined)
    throw new WebhookTargetProblem(
      `${url.hostname} has the private or special-purpose address ${special}. The portal does not connect to it.`,
    );
  const isInside = addresses.every(isWithin);
  if (url.protocol === "http:" && !isInside)
    throw new WebhookTargetProblem("The address must begin with https://, so that nobody else can read what is sent.");
  return { url, address, isInside };
}
