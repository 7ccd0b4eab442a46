import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { signCsr } from "../support/csr";
import { SUBJECT, useOpenssl } from "../support/openssl";

const { makeKey, makeRsaKey, requestCsr } = useOpenssl();
const SAN = ["DNS:a.example", "IP:10.0.0.1", "IP:2001:db8::1", "email:edi@acme.example", "URI:oftp://O0177ACME01"];
const SUBJECTS = [
  SUBJECT,
  "/C=DE/O=M\u00fcller \\/ Sons/CN=a.example/DC=acme/businessCategory=x",
  `${SUBJECT}/emailAddress=edi@acme.example/serialNumber=O0177 ACME01`,
];

test.each(SUBJECTS)("[PUR-03] the CSRs of the test support equal those of openssl byte for byte: %s", (subject) => {
  const keyFile = makeRsaKey();
  for (const digest of ["sha1", "sha256", "sha384", "sha512"])
    for (const san of [[], SAN]) {
      const own = signCsr({ subject, san, digest, key: readFileSync(keyFile, "utf8") });
      const { der, pem } = requestCsr({ subject, san, digest, keyFile });
      expect(own.der).toEqual(Buffer.from(der));
      expect(own.pem).toBe(pem);
    }
});

test("[PUR-03] EC CSRs equal them up to the signature, which is random", () => {
  const keyFile = makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256");
  const own = signCsr({ subject: SUBJECT, san: SAN, digest: "sha256", key: readFileSync(keyFile, "utf8") });
  const { der } = requestCsr({ subject: SUBJECT, san: SAN, keyFile });
  const unsigned = (bytes: Uint8Array) => Buffer.from(bytes.subarray(4, 4 + 300)).toString("hex");
  expect(unsigned(own.der)).toBe(unsigned(der));
});
