import { type Preparation } from "./preparation-schema.server";
import { configValue, nameValue, shellWord, subjectValue } from "./quoting";

/** Commands to copy, for people who create the key and the CSR themselves. */
export interface PreparationCommands {
  /** Creates the encrypted key. The command is the same in every shell. */
  key: string;
  /** Creates the CSR in a POSIX shell. */
  request: string;
  /** Creates the CSR from the configuration file, in every shell. */
  requestFromFile: string;
  /** The configuration file for OpenSSL. */
  file: string;
  /** Creates the key store and the CSR with Java's keytool, in every shell. */
  keytool: string;
}

/** Returns the attributes of a subject as [name in OpenSSL, name in keytool, value]. Empty ones are left out. */
const attributesOf = (asked: Preparation): (readonly [string, string, string])[] =>
  (
    [
      ["C", "C", asked.country],
      ["ST", "ST", asked.state],
      ["L", "L", asked.city],
      ["O", "O", asked.organisation],
      ["OU", "OU", asked.organisationUnit],
      ["CN", "CN", asked.commonName],
      ["serialNumber", "SERIALNUMBER", asked.oftpid],
      ["emailAddress", "EMAILADDRESS", asked.email],
    ] as const
  ).filter(([, , value]) => value !== "");

/**
 * Returns the alternative names, each with its tag and separated by commas. DNS names and addresses need no quoting: they contain no
 * character with a meaning in a shell or in this text.
 */
const namesOf = ({ dnsNames, ipAddresses }: Preparation, dns: string, ip: string): string =>
  [...dnsNames.map((name) => `${dns}:${name}`), ...ipAddresses.map((address) => `${ip}:${address}`)].join(",");

const lines = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(" \\\n  ");

function requestCommand(asked: Preparation): string {
  const subject = attributesOf(asked).map(([type, , value]) => `/${type}=${subjectValue(value)}`);
  const names = namesOf(asked, "DNS", "IP");
  return lines(
    "openssl req -new -sha256 -utf8 -key private.key.pem -out request.csr",
    `-subj ${shellWord(subject.join(""))}`,
    names === "" ? null : `-addext ${shellWord(`subjectAltName=${names}`)}`,
  );
}

function configFile(asked: Preparation): string {
  const names = namesOf(asked, "DNS", "IP");
  return [
    "# openssl req -new -config request.cnf -key private.key.pem -out request.csr",
    "[req]",
    "prompt = no",
    "utf8 = yes",
    "string_mask = utf8only",
    "default_md = sha256",
    "distinguished_name = subject",
    ...(names === "" ? [] : ["req_extensions = extensions"]),
    "",
    "[subject]",
    ...attributesOf(asked).map(([type, , value]) => `${type} = ${configValue(value)}`),
    ...(names === "" ? [] : ["", "[extensions]", `subjectAltName = ${names}`]),
    "",
  ].join("\n");
}

function keytoolCommands(asked: Preparation): string {
  const name = attributesOf(asked)
    .reverse()
    .map(([, type, value]) => `${type}=${nameValue(value)}`);
  const names = namesOf(asked, "dns", "ip");
  const store = "-alias oftp2 -keystore private.p12 -storetype PKCS12";
  const key = `keytool -genkeypair ${store} -keyalg RSA -keysize ${asked.keySize} -dname "${name.join(", ")}"`;
  const extension = names === "" ? "" : ` -ext "SAN=${names}"`;
  return `${key}\nkeytool -certreq ${store} -sigalg SHA256withRSA -file request.csr${extension}`;
}

/** Returns the commands that create a key and a CSR with these details, which `preparationSchema` has checked. */
export const commandsFor = (asked: Preparation): PreparationCommands => ({
  key: `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:${asked.keySize} -aes-256-cbc -out private.key.pem`,
  request: requestCommand(asked),
  requestFromFile: "openssl req -new -config request.cnf -key private.key.pem -out request.csr",
  file: configFile(asked),
  keytool: keytoolCommands(asked),
});
