/** What the lines for the common ACME clients are made from. */
export interface LinesFor {
  /** The address of the directory. */
  directory: string;
  /** The key identifier. */
  keyId: string;
  /** The MAC key, or what stands in its place after it was shown. */
  secret: string;
  /** A host that the standing authorisation covers. */
  host: string;
}

/** What stands in the place of a MAC key that cannot be shown again. */
export const MAC_KEY_PLACEHOLDER = "MAC_KEY";

/** The lines for one client. */
export interface ClientLines {
  client: string;
  /** What the first lines are, such as the name of a file. */
  label: string;
  lines: string;
  /** How a certificate is renewed, as sentences. */
  renewal: string;
}

const certbot = ({ directory, keyId, secret, host }: LinesFor): ClientLines => ({
  client: "certbot",
  label: "the commands for certbot",
  lines: [
    `certbot certonly --standalone --server ${directory} --key-type rsa \\`,
    `  --agree-tos --register-unsafely-without-email --eab-kid ${keyId} --eab-hmac-key ${secret} -d ${host}`,
  ].join("\n"),
  renewal: "“certbot renew” renews it with a new key. Do not use --reuse-key: a key is certified once.",
});

const dehydrated = ({ directory, keyId, secret, host }: LinesFor): ClientLines => ({
  client: "dehydrated",
  label: "the commands for dehydrated",
  lines: `mkdir -p /etc/dehydrated /var/www/dehydrated
(umask 077 && cat > /etc/dehydrated/portal.conf) <<'END'
CA="${directory}"
EAB_KID="${keyId}"
EAB_HMAC_KEY="${secret}"
KEY_ALGO="rsa"
PRIVATE_KEY_RENEW="yes"
WELLKNOWN="/var/www/dehydrated"
END
dehydrated --config /etc/dehydrated/portal.conf --register --accept-terms
dehydrated --config /etc/dehydrated/portal.conf --cron --domain ${host}`,
  renewal: "The last command renews it with a new key when it ends within 30 days: run it every day.",
});

const uacme = ({ directory, keyId, secret, host }: LinesFor): ClientLines => ({
  client: "uacme",
  label: "the commands for uacme",
  lines: `uacme --acme-url ${directory} --eab ${keyId}:${secret} --yes new
uacme --acme-url ${directory} --type RSA issue ${host}`,
  renewal: `uacme keeps the key of a host, and a key is certified once: before the last command renews it, delete /etc/ssl/uacme/private/${host}/key.pem.`,
});

const lego = ({ directory, keyId, secret, host }: LinesFor): ClientLines => ({
  client: "lego",
  label: "the commands for lego",
  lines: `lego --server ${directory} --accept-tos --email admin@${host} --key-type rsa2048 \\
  --eab --kid ${keyId} --hmac ${secret} --http --domains ${host} run`,
  renewal: `Every day, run it with “renew” in the place of “run”. lego asks for the options of the binding each time. The key is new each time; do not use --reuse-key.`,
});

const caddy = ({ directory, keyId, secret, host }: LinesFor): ClientLines => ({
  client: "Caddy",
  label: "the Caddyfile",
  lines: `{
	acme_ca ${directory}
	acme_eab {
		key_id ${keyId}
		mac_key ${secret}
	}
	key_type rsa2048
}

${host} {
	respond "It works."
}`,
  renewal: `Caddy renews it by itself, from version 2.7 with a new key. Version 2.6 keeps the key, which is refused: 30 days before the end, stop Caddy, delete the folder of ${host} below “certificates” in its storage, and start it again.`,
});

const acmeClient = ({ directory, keyId, secret, host }: LinesFor): ClientLines => ({
  client: "acme-client",
  label: "the program with acme-client from npm",
  lines: `import { writeFileSync } from "node:fs";
import acme from "acme-client";

const client = new acme.Client({
  directoryUrl: "${directory}",
  accountKey: await acme.crypto.createPrivateKey(),
  externalAccountBinding: { kid: "${keyId}", hmacKey: "${secret}" },
});
const [key, csr] = await acme.crypto.createCsr({ altNames: ["${host}"] });
const chain = await client.auto({
  csr,
  termsOfServiceAgreed: true,
  challengeCreateFn: async () => {},
  challengeRemoveFn: async () => {},
});
writeFileSync("account.pem", client.opts.accountKey, { mode: 0o600 });
writeFileSync("key.pem", key, { mode: 0o600 });
writeFileSync("chain.pem", chain);`,
  renewal:
    "Keep account.pem: later runs take it as accountKey and leave externalAccountBinding out. Make a new CSR, and with it a new key, each time.",
});

/** Returns the lines with which the common clients make their account and get a certificate, ready to be copied. */
export const clientLines = (given: LinesFor): ClientLines[] =>
  [certbot, dehydrated, uacme, lego, caddy, acmeClient].map((linesOf) => linesOf(given));
