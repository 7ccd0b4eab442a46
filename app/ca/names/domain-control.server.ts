import { isIP } from "node:net";
import { brokenRule } from "../csr/refusal.server";
import { type RequestRefusal } from "../csr/rules/catalogue";
import { type CONTROL_RULES } from "../csr/rules/control";
import { type AlternateName } from "../x509/general-names.server";
import { isMailbox } from "../x509/host-name.server";
import { hostsOfCommonName } from "./common-name.server";
import { hostOf } from "./name-policy.server";
import { suffixOf } from "./special-names.server";

/** What a certificate would name: the subject's common name and email address, and the alternative names. */
export interface RequestedNames {
  commonName: string;
  /** Empty or null when there is none. */
  email: string | null;
  names: readonly AlternateName[];
}

/** A domain or mailbox that a company has confirmed. */
export interface ConfirmedName {
  /** In ASCII and lower case. */
  name: string;
  /** Whether only the host with this name is confirmed, and nothing below it. */
  isHostOnly: boolean;
}

const isBelow = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`);

/**
 * Returns whether a whole domain that is confirmed covers a host. It covers itself and everything below it, except what lies below a public
 * suffix within it: those names belong to others.
 */
const covers = (domain: string, host: string): boolean =>
  isBelow(host, domain) && !isBelow(suffixOf(host).publicSuffix ?? "", domain);

/**
 * Returns whether a host, or all hosts of a wildcard, are confirmed: by a whole domain, or a single host by itself. Whoever can write a file on
 * one web server controls nothing else of the domain (CA/Browser Forum Baseline Requirements §3.2.2.4.18).
 */
export const isConfirmedHost = (host: string, confirmed: readonly ConfirmedName[]): boolean => {
  const name = host.toLowerCase();
  return confirmed.some(({ name: own, isHostOnly }) =>
    isHostOnly ? name === own : covers(own, name.replace(/^\*\./, "")),
  );
};

/** Returns whether a mailbox is confirmed, by itself or with its whole domain. */
export function isConfirmedMailbox(mailbox: string, confirmed: readonly ConfirmedName[]): boolean {
  const address = mailbox.toLowerCase();
  const whole = confirmed.filter(({ isHostOnly }) => !isHostOnly);
  return confirmed.some(({ name }) => name === address) || isConfirmedHost(address.split("@")[1] ?? "", whole);
}

/** A rule about names that a company has to confirm. */
export type ControlRule = keyof typeof CONTROL_RULES;

/** A name that a company has not confirmed. */
interface UnconfirmedName {
  code: ControlRule;
  value: string;
  /** Where the name stands in the request. */
  label: string;
  /** What is said of the name, after it. */
  why: string;
}

const NAME: ControlRule = "domain-not-confirmed";
const HOST = "is not below a confirmed domain of the company";
const MAILBOX = "is neither a confirmed mailbox of the company nor at a confirmed domain";
const ADDRESS = "cannot be confirmed for the company";

function checkHost(label: string, value: string, confirmed: readonly ConfirmedName[]): UnconfirmedName[] {
  if (isIP(value) !== 0) return [{ code: "address-not-confirmed", value, label, why: ADDRESS }];
  return isConfirmedHost(value, confirmed) ? [] : [{ code: NAME, value, label, why: HOST }];
}

const checkMailbox = (label: string, value: string, confirmed: readonly ConfirmedName[]): UnconfirmedName[] =>
  isConfirmedMailbox(value, confirmed) ? [] : [{ code: NAME, value, label, why: MAILBOX }];

const HOST_LABELS = { dns: "the DNS name", ip: "the IP address", uri: "the URI's host" };

function checkName(name: AlternateName, confirmed: readonly ConfirmedName[]): UnconfirmedName[] {
  if (name.type === "rfc822") return checkMailbox("Alternative names: the email address", name.value, confirmed);
  const host = hostOf(name);
  if (host === null) return [];
  return checkHost(`Alternative names: ${HOST_LABELS[name.type as keyof typeof HOST_LABELS]}`, host, confirmed);
}

const COMMON_NAME = "Subject: the common name";

/** Checks the hosts and mailboxes in a common name. A host that is also an alternative name is left to the check of that name. */
function checkCommonName(
  { commonName, names }: RequestedNames,
  confirmed: readonly ConfirmedName[],
): UnconfirmedName[] {
  const hosts = new Set(
    names.filter(({ type }) => type === "dns" || type === "ip").map(({ value }) => value.toLowerCase()),
  );
  return hostsOfCommonName(commonName)
    .filter(({ host, mailbox }) => mailbox !== null || !hosts.has(host.toLowerCase()))
    .flatMap(({ host, mailbox }) =>
      mailbox === null ? checkHost(COMMON_NAME, host, confirmed) : checkMailbox(COMMON_NAME, mailbox, confirmed),
    );
}

/**
 * Returns each name of a request that a company has not confirmed. A common name that is also a DNS name of the certificate is named once.
 * @param confirmed The domains and mailboxes that the company has confirmed.
 */
export function unconfirmedNames(request: RequestedNames, confirmed: readonly ConfirmedName[]): UnconfirmedName[] {
  const { email, names } = request;
  const isMailNamed = names.some(({ type, value }) => type === "rfc822" && value === email);
  return [
    ...checkCommonName(request, confirmed),
    ...(email === null || !isMailbox(email) || isMailNamed
      ? []
      : checkMailbox("Subject: the email address", email, confirmed)),
    ...names.flatMap((name) => checkName(name, confirmed)),
  ];
}

/** Returns a refusal for each name of a request that a company has not confirmed. */
export const controlRefusals = (request: RequestedNames, confirmed: readonly ConfirmedName[]): RequestRefusal[] =>
  unconfirmedNames(request, confirmed).map(({ code, value, label, why }) =>
    brokenRule(code, `${label} '${value}' ${why}.`),
  );
