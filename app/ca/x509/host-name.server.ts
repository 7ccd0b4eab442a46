const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/**
 * Returns whether the text is a DNS name in the preferred syntax (RFC 1034 §3.5). The first label may be `*`. Names that look like an IP
 * address are refused.
 */
export function isDnsName(name: string): boolean {
  const labels = name.split(".");
  const wildcard = labels[0] === "*";
  const hostLabels = wildcard ? labels.slice(1) : labels;
  if (name.length > 253 || (wildcard && hostLabels.length < 2)) return false;
  return hostLabels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
}

/** Returns whether a common name is a host name: a DNS name of at least two labels. */
export const isHostName = (commonName: string): boolean => commonName.includes(".") && isDnsName(commonName);

/** Returns whether the text is an ASCII mailbox `local@domain` (RFC 5321 §4.1.2, without quoted local parts). */
export function isMailbox(address: string): boolean {
  const [local = "", domain = "", ...rest] = address.split("@");
  return (
    rest.length === 0 &&
    local.length <= 64 &&
    /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local) &&
    isDnsName(domain) &&
    !domain.startsWith("*")
  );
}
