import { toPem } from "~/ca/pem.server";
import { openssl } from "../../support/openssl";
import { type BadCsr, type Forging } from "./common";

export function texts({ forge, keyFile, makeCsr }: Forging): BadCsr[] {
  const { pem } = makeCsr({ keyFile });
  const key = openssl(["pkey", "-in", keyFile]);
  const pkcs8 = Buffer.from(key.replace(/-----.*-----/g, ""), "base64");
  const labelled = (label: string) => pem.replaceAll("CERTIFICATE REQUEST", label);
  const jwk = JSON.stringify({ kty: "EC", crv: "P-256", x: "A".repeat(43), y: "A".repeat(43), d: "B".repeat(43) });
  return [
    ["two requests", "several", /more than one CSR/, pem + pem],
    ["two requests with different labels", "several", /more than one CSR/, pem + labelled("NEW CERTIFICATE REQUEST")],
    ["a CSR with a certificate's label", "label", /BEGIN and END lines/, labelled("CERTIFICATE")],
    ["a CSR with the label PKCS7", "label", /BEGIN and END lines/, labelled("PKCS7")],
    [
      "an END line with another label",
      "truncated",
      /incomplete/,
      pem.replace("-----END CERTIFICATE", "-----END NEW CERTIFICATE"),
    ],
    ["no END line", "truncated", /incomplete/, pem.split("-----END")[0] ?? ""],
    ["headers inside", "not-a-csr", /not a certificate signing/, pem.replace("\n", "\nProc-Type: 4\n\n")],
    [
      "base64url",
      "not-a-csr",
      /not a certificate signing/,
      toPem("CERTIFICATE REQUEST", forge()).replace("\nM", "\n-_"),
    ],
    ["padding in the middle", "not-a-csr", /not a certificate signing/, pem.replace(/\n(.{20})/, "\n$1==")],
    [
      "long dashes of a word processor",
      "not-a-csr",
      /not a certificate signing/,
      pem.replaceAll("-----", "\u2014\u2014-"),
    ],
    ["a private key before the CSR", "private-key", /private key/, key + pem],
    ["a private key behind the CSR", "private-key", /private key/, pem + key],
    ["a private key under another label", "private-key", /private key/, toPem("PKCS7", pkcs8)],
    ["a private key under another label beside a CSR", "private-key", /private key/, pem + toPem("DATA", pkcs8)],
    ["a private key behind the CSR in DER", "private-key", /private key/, Buffer.concat([forge(), pkcs8])],
    [
      "a private key behind the CSR under one label",
      "private-key",
      /private key/,
      toPem("CERTIFICATE REQUEST", Buffer.concat([forge(), pkcs8])),
    ],
    ["a private key as JWK", "private-key", /private key/, jwk],
    ["10 MB of text", "too-large", /64 KB/, pem.padEnd(10 * 1024 * 1024, "A")],
    ["10 MB of bytes", "too-large", /64 KB/, Buffer.concat([forge(), Buffer.alloc(10 * 1024 * 1024)])],
  ];
}
