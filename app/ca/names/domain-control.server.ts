import { isIP } from "node:net";
import { brokenRule } from "../csr/refusal.server";
import { type RequestRefusal } from "../csr/rules/catalogue";
import { type AlternateName } from "../x509/general-names.server";
import { isMailbox } from "../x509/host-name.server";
import { hostOf, hostOfCommonName } from "./name-policy.server";
import { suffixOf } from "./special-names.server";

/** What a certificate would name: the subject's common name and email address, and the alternative names. */
export interface RequestedNames {
  commonName: string;
  /** Empty or null when there is none. */
  email: string | null;
  names: readonly AlternateName[];
}

const isBelow = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`);

/**
 * Returns whether a confirmed domain covers a host. It covers itself and everything below it, except what lies below a public suffix within
 * it: those names belong to others.
 */
const covers = (domain: string, host: string): boolean =>
  isBelow(host, domain) && !isBelow(suffixOf(host).publicSuffix ?? "", domain);

/** Returns whether a host, or all hosts of a wildcard, are below a confirmed domain. */
export const isConfirmedHost = (host: string, confirmed: readonly string[]): boolean => {
  const name = host.toLowerCase().replace(/^\*\./, "");
  return confirmed.some((domain) => covers(domain, name));
};

/** Returns whether a mailbox is confirmed, by itself or with its domain. */
export function isConfirmedMailbox(mailbox: string, confirmed: readonly string[]): boolean {
  const address = mailbox.toLowerCase();
  return confirmed.includes(address) || isConfirmedHost(address.split("@")[1] ?? "", confirmed);
}

/** A name that a company has not confirmed. */
interface UnconfirmedName {
  value: string;
  /** Where the name stands in the request. */
  label: string;
  /** What is said of the name, after it. */
  why: string;
}

const HOST = "is not below a confirmed domain of the company";
const MAILBOX = "is neither a confirmed mailbox of the company nor at a confirmed domain";
const ADDRESS = "is not confirmed: only domains and mailboxes can be";

function checkHost(label: string, value: string, confirmed: readonly string[]): UnconfirmedName[] {
  if (isIP(value) !== 0) return [{ value, label, why: ADDRESS }];
  return isConfirmedHost(value, confirmed) ? [] : [{ value, label, why: HOST }];
}

const checkMailbox = (label: string, value: string, confirmed: readonly string[]): UnconfirmedName[] =>
  isConfirmedMailbox(value, confirmed) ? [] : [{ value, label, why: MAILBOX }];

const HOST_LABELS = { dns: "the DNS name", ip: "the IP address", uri: "the URI's host" };

function checkName(name: AlternateName, confirmed: readonly string[]): UnconfirmedName[] {
  if (name.type === "rfc822") return checkMailbox("Alternative names: the email address", name.value, confirmed);
  const host = hostOf(name);
  if (host === null) return [];
  return checkHost(`Alternative names: ${HOST_LABELS[name.type as keyof typeof HOST_LABELS]}`, host, confirmed);
}

/**
 * Returns each name of a request that a company has not confirmed. A common name that is also a DNS name of the certificate is named once.
 * @param confirmed The domains and mailboxes that the company has confirmed, in ASCII and lower case.
 */
export function unconfirmedNames(
  { commonName, email, names }: RequestedNames,
  confirmed: readonly string[],
): UnconfirmedName[] {
  const host = hostOfCommonName(commonName);
  const isNamed = names.some(({ value }) => value.toLowerCase() === host?.toLowerCase());
  const isMailNamed = names.some(({ type, value }) => type === "rfc822" && value === email);
  return [
    ...(host === null || isNamed ? [] : checkHost("Subject: the common name", host, confirmed)),
    ...(email === null || !isMailbox(email) || isMailNamed
      ? []
      : checkMailbox("Subject: the email address", email, confirmed)),
    ...names.flatMap((name) => checkName(name, confirmed)),
  ];
}

/** Returns a refusal for each name of a request that a company has not confirmed. */
export const controlRefusals = (request: RequestedNames, confirmed: readonly string[]): RequestRefusal[] =>
  unconfirmedNames(request, confirmed).map(({ value, label, why }) =>
    brokenRule("domain-not-confirmed", `${label} '${value}' ${why}.`),
  );
