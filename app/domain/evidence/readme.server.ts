import { formatDate, formatDateTime } from "~/lib/dates";
import { escapeMarkup } from "~/lib/escape-markup.server";
import { colonHex } from "~/lib/hex";
import { type PackedCertificates } from "./certificates.server";

const STYLE = `
:root{color-scheme:light dark}body{max-width:70rem;margin:0 auto;padding:1rem;font:17px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1,h2{line-height:1.2}pre{overflow:auto;padding:.6rem;border:1px solid;border-radius:6px}code{font-size:.95em}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid}
td:first-child{overflow-wrap:normal}@media(max-width:48em){thead{display:none}tr{display:block;padding:.4rem 0;border-bottom:1px solid}
td{display:block;padding:0;border:0;overflow-wrap:anywhere}td:first-child{font-weight:600}}
`;

interface Readme extends PackedCertificates {
  portal: string;
  authority: string;
  madeAt: string;
  madeBy: string;
  scope: { text: string };
  orders: number;
  entries: { count: number };
  policies: readonly { title: string; file: string; version: string; inForceFrom: string }[];
  fingerprint: string;
}

const code = (text: string) => `<pre><code>${escapeMarkup(text)}</code></pre>`;
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join("")}</tr>`;
const table = (headings: readonly string[], rows: readonly string[]) =>
  `<table><thead><tr>${headings.map((one) => `<th scope="col">${one}</th>`).join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;

/** Returns the commands for one certificate as the example. The others are verified in the same way. */
function commandsFor({ certificates, authorities }: PackedCertificates): string {
  const [example] = certificates;
  const issuer = authorities.find(({ file }) => file === example?.issuer);
  if (!example || !issuer) return "<p>This pack has no certificates of customers.</p>";
  const chain = `openssl verify -CAfile ${issuer.issuer} -untrusted ${issuer.file} ${example.file}`;
  const ocsp = `openssl ocsp -respin ${example.ocsp} -CAfile ${issuer.issuer} \\
  -issuer ${issuer.file} -cert ${example.file} -no_nonce`;
  return [
    `<p>For each certificate, here the first one. A certificate that has expired since needs <code>-no_check_time</code>. The root is the anchor of trust: compare its fingerprint with the one that you have from elsewhere.</p>`,
    code(`openssl x509 -in ${issuer.issuer} -noout -subject -fingerprint -sha256\n${chain}`),
    `<p>The CSR shows what was asked for. Its signature proves that the customer had the private key.</p>`,
    code(`openssl req -in certificates/${example.id}/request.csr -noout -verify -text`),
    ...(example.ocsp === null
      ? []
      : [
          `<p>The OCSP answer was signed when the pack was made. OpenSSL prints the certificate and <code>good</code> or <code>revoked</code>. An answer is good for a day; OpenSSL says when it is older, which does not change what it proved then.</p>`,
          code(ocsp),
        ]),
  ].join("\n");
}

const crlCommands = ({ crls }: PackedCertificates) =>
  code(
    crls
      .map(({ file, issuer }) => `openssl crl -inform DER -in ${file} -CAfile ${issuer} -noout -crlnumber -lastupdate`)
      .join("\n"),
  );

/** Returns the page of a pack that says what is in it and how to verify each part. It needs no other file, script or network. */
export function packReadme(pack: Readme): string {
  const { authority, certificates, crls, policies, fingerprint, entries } = pack;
  const facts = [
    row("About", pack.scope.text),
    row("Portal", pack.portal),
    row("Made", `${formatDateTime(pack.madeAt)} UTC by ${pack.madeBy}`),
    row("Orders", String(pack.orders)),
    row("Certificates", String(certificates.length)),
    row("Audit entries", String(entries.count)),
    row("Key of the portal (SHA-256)", fingerprint),
  ];
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evidence pack of ${escapeMarkup(authority)}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>Evidence pack of ${escapeMarkup(authority)}</h1>
<table><tbody>${facts.join("\n")}</tbody></table>
<h2>What is in it</h2>
${table(
  ["Files", "Content"],
  [
    row(
      "certificates/ID/order.json",
      "the order: what was asked for, the checks with who, when and their notes, decision, issue, revocation, invoice",
    ),
    row("certificates/ID/request.csr", "the CSR"),
    row("certificates/ID/certificate.pem", "the certificate, where one was issued"),
    row("certificates/ID/ocsp.der", "what the OCSP responder said about it when the pack was made"),
    row("authorities", "the certificates of the CAs"),
    row("crls", "the CRLs that were in force when the pack was made"),
    row("audit/entries.ndjson", "the audit entries, one JSON object a line, with what proves each"),
    row("audit/checkpoints.jsonl, audit/keys", "the signed checkpoints that prove the entries, and the public keys"),
    row(
      "policies",
      "the policies in force when the pack was made; the audit entries 'policy.published' say which texts were in force before",
    ),
    row("manifest.json, manifest.sig", "the SHA-256 of every file, and the portal's signature of them"),
  ],
)}
<h2>Verify everything at once</h2>
<p>With Node 20 or newer and nothing else, in the folder of this file. The program is short: read it before you run it. It names every file and every entry that was changed, removed or added.</p>
${code(`node verify.mjs --key ${fingerprint}`)}
<p>Take the fingerprint of the key from the portal's page 'Evidence packs', from the operators (<code>audit public-keys</code>) or from an earlier pack, and not only from this page: whoever forges a whole pack also writes this page.</p>
<h2>The files: sha256sum and openssl</h2>
<p>The sums prove that nothing was changed by accident. The signature of the manifest (Ed25519, OpenSSL 3) proves that the portal made the pack. The manifest states the sum of every file, also of SHA256SUMS.</p>
${code(
  "sha256sum -c SHA256SUMS\nopenssl pkeyutl -verify -pubin -inkey audit/keys/KEYID.pem -rawin -in manifest.json -sigfile manifest.sig\nopenssl pkey -pubin -in audit/keys/KEYID.pem -outform DER | sha256sum",
)}
<p>KEYID is <code>keyId</code> in manifest.json. The last command prints the fingerprint of the key.</p>
<h2>Certificates, CSRs and OCSP answers: openssl</h2>
${commandsFor(pack)}
<h2>CRLs: openssl</h2>
${crlCommands(pack)}
<p>Each command ends with <code>verify OK</code>. <code>openssl crl -inform DER -in FILE -noout -text</code> lists the revoked serial numbers.</p>
<h2>Audit entries</h2>
<p>Each entry has a commitment to its personal data: the HMAC-SHA-256, with the entry's <code>salt</code> as the key, of the JSON array of <code>"marque.audit.personal.1"</code>, actor, message and address. What was sealed is the JSON array of <code>"marque.audit.entry.2"</code>, the other fields, the seal of the entry before (<code>previous</code>) and the commitment. Its SHA-256 is a leaf of a hash tree (RFC 9162) over all entries since the checkpoint before. <code>path</code> leads from the leaf to the root, which the checkpoint states and the portal signed when it made the checkpoint, usually within five minutes of the entry.</p>
<p>Entries about others are not in the pack. Only hashes stand for them in the paths, from which nobody can find what they say.</p>
<p>Compare the checkpoints with a copy that was kept elsewhere, such as the portal's log. Whoever has all of the portal's keys could write the trail anew; then the copy differs.</p>
${code("node verify.mjs --checkpoints COPY.jsonl")}
<ul>
<li>An entry with <code>isErased</code> has a pseudonym in place of the data of a person who was erased. Everything else of it is still proven.</li>
<li>An entry without <code>checkpoint</code> is older than the checkpoints with trees, or its key is gone. The portal verified its seal when it made the pack, and the signature of the manifest covers it.</li>
</ul>
<h2>Policies</h2>
${table(
  ["Document", "File", "Version", "In force from"],
  policies.map(({ title, file, version, inForceFrom }) => row(title, file, version, formatDate(inForceFrom))),
)}
<h2>Certificates</h2>
${table(
  ["ID", "Common name", "Serial number", "SHA-256 fingerprint"],
  certificates.map((one) =>
    row(String(one.id), one.commonName, colonHex(one.serialNumber), colonHex(one.sha256.toUpperCase())),
  ),
)}
<h2>CRLs</h2>
${table(
  ["File", "Number", "Published", "Next due"],
  crls.map((one) =>
    row(one.file, String(one.number), `${formatDateTime(one.thisUpdate)} UTC`, `${formatDateTime(one.nextUpdate)} UTC`),
  ),
)}
<h2>What a pack does not prove</h2>
<p>It proves what the portal recorded, when, and that nothing of it was changed since. It does not prove that what people told the portal is true, and not that a pack is complete: the portal chose its entries by the scope above. Two packs that overlap must agree.</p>
</main></body>
</html>
`;
}
