import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { CaError } from "~/ca/errors.server";
import { issuerReferences } from "~/ca/ocsp/cert-id.server";
import { readOcspRequest } from "~/ca/ocsp/request.server";
import {
  buildOcspResponse,
  OCSP_ERRORS,
  ocspErrorResponse,
  type OcspError,
  type OcspStatus,
  responderOf,
} from "~/ca/ocsp/response.server";
import { toPem } from "~/ca/pem.server";
import { softwareSigner } from "~/ca/signer.server";
import { context, integer, sequence } from "../support/der";
import { certId, extension, malformedRequests, nonce, ocspRequest, SERVICE_LOCATOR } from "../support/ocsp-request";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { AT, createHierarchy, createResponder, NOW, type TestCa } from "./hierarchy";

const { file } = useOpenssl();
const DAY_LATER = new Date(NOW.getTime() + 86_400_000);
const SERIAL = "7A0000000000000000000000000000FF";

let ca: TestCa;
let issuerFile: string;
let rootFile: string;
beforeAll(async () => {
  ca = await createHierarchy("sha512");
  issuerFile = file("pem", toPem("CERTIFICATE", ca.issuing.certificateDer));
  rootFile = file("pem", toPem("CERTIFICATE", ca.root.certificateDer));
});

/** Makes an OCSPRequest with OpenSSL. Returns its bytes and its file. */
function ask(serials: readonly string[], { digest = "sha1", args = [] }: { digest?: string; args?: string[] } = {}) {
  const path = file("req");
  const wanted = serials.flatMap((serial) => [`-${digest}`, "-serial", `0x${serial}`]);
  openssl(["ocsp", "-issuer", issuerFile, ...wanted, ...args, "-reqout", path]);
  return { path, der: readFileSync(path) };
}

describe("requests", () => {
  test.each(["sha1", "sha256", "sha384", "sha512"])("[CAL-02] name the CA as openssl does with %s", (digest) => {
    const { certIds, nonce } = readOcspRequest(ask([SERIAL, "01"], { digest, args: ["-no_nonce"] }).der);
    expect(certIds.map(({ serial }) => serial)).toEqual([SERIAL, "01"]);
    expect(nonce).toBeNull();
    for (const { issuer } of certIds) {
      expect(issuerReferences(ca.issuing)).toContain(issuer);
      expect(issuerReferences(ca.root)).not.toContain(issuer);
    }
  });

  test("[CAL-02] may have a signature, a requestor name and non-critical extensions", () => {
    const [key, certificate] = [file("key"), file("pem")];
    const pair = ["-newkey", "rsa:2048", "-noenc", "-keyout", key, "-out", certificate];
    openssl(["req", "-x509", ...pair, "-subj", "/CN=Asker"]);
    const args = ["-signer", certificate, "-signkey", key];
    expect(readOcspRequest(ask([SERIAL], { args }).der)).toMatchObject({ certIds: [{ serial: SERIAL }] });
    const locator = extension(SERVICE_LOCATOR, sequence());
    const single = sequence(certId(), context(0, sequence(locator)));
    expect(readOcspRequest(ocspRequest([single], locator)).certIds).toHaveLength(1);
    const withVersion = sequence(sequence(context(0, integer(0)), sequence(sequence(certId()))));
    expect(readOcspRequest(withVersion).certIds).toHaveLength(1);
  });

  test.each([1, 32, 128])("[CAL-02] may have a nonce of %i octets", (length) => {
    const { nonce: kept } = readOcspRequest(ocspRequest([sequence(certId())], nonce(length)));
    expect(Buffer.from(kept ?? [])).toEqual(nonce(length));
  });

  test.each(malformedRequests())("[CAL-02] are malformed with %s", (_, der) => {
    expect(() => readOcspRequest(der)).toThrow(CaError);
  });

  test("[CAL-02] are read or called malformed, whatever the bytes", () => {
    const valid = ask([SERIAL]).der;
    const broken = fc.tuple(fc.nat(valid.length - 1), fc.nat(255), fc.nat(valid.length)).map(([at, value, cut]) =>
      Buffer.from(valid)
        .fill(value, at, at + 1)
        .subarray(0, cut || valid.length),
    );
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), broken), (bytes) => {
        try {
          return readOcspRequest(bytes).certIds.length > 0;
        } catch (error) {
          return error instanceof CaError && error.code === "malformed";
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("answers", () => {
  async function answer(der: Uint8Array, statusOf: (serial: string) => OcspStatus) {
    const { certificateDer, privateKey } = await createResponder(ca);
    const { certIds, nonce } = readOcspRequest(der);
    const response = await buildOcspResponse({
      responder: responderOf(certificateDer, softwareSigner(privateKey, "sha512")),
      responses: certIds.map((certId) => ({ certId, status: statusOf(certId.serial) })),
      nonce,
      thisUpdate: NOW,
      nextUpdate: DAY_LATER,
    });
    return file("rsp", response);
  }

  const check = (requestFile: string, responseFile: string, at = AT) => [
    "ocsp",
    ...["-reqin", requestFile, "-respin", responseFile, "-issuer", issuerFile, "-CAfile", rootFile],
    ...["-verify_other", issuerFile, "-attime", at, "-resp_text"],
  ];

  test("[CAL-02] openssl verifies good, revoked and unknown, with the nonce, in one answer", async () => {
    const { path, der } = ask(["01", "02", "03", "04"]);
    const at = new Date("2026-02-03T04:05:06Z");
    const states: Record<string, OcspStatus> = {
      "01": { status: "good" },
      "02": { status: "revoked", at, reason: 4 },
      "03": { status: "revoked", at, reason: 0 },
      "04": { status: "unknown" },
    };
    const text = openssl(check(path, await answer(der, (serial) => states[serial] ?? { status: "unknown" })));
    const [, , second = "", third = ""] = text.split("Certificate ID:");
    expect(text.match(/Cert Status: \w+/g)).toEqual(
      ["good", "revoked", "revoked", "unknown"].map((status) => `Cert Status: ${status}`),
    );
    expect(second).toContain("Revocation Time: Feb  3 04:05:06 2026 GMT");
    expect(second).toContain("Revocation Reason: superseded (0x4)");
    expect(third).not.toContain("Revocation Reason");
    expect(text).toContain("This Update: Mar  1 10:00:00 2026 GMT");
    expect(text).toContain("Next Update: Mar  2 10:00:00 2026 GMT");
    expect(text).toContain("OCSP Nonce");
    expect(text).toContain("sha512WithRSAEncryption");
  });

  test("[CAL-02] openssl refuses a changed answer and the nonce of another request", async () => {
    const { path, der } = ask([SERIAL]);
    const response = await answer(der, () => ({ status: "good" }));
    const bytes = readFileSync(response);
    const at = bytes.indexOf("20260301100000Z");
    const changed = file(
      "rsp",
      Buffer.concat([bytes.subarray(0, at), Buffer.from("20260301100001Z"), bytes.subarray(at + 15)]),
    );
    expect(opensslFailure(check(path, changed))).toMatch(/bad signature|Response Verify Failure/i);
    expect(opensslFailure(check(ask([SERIAL]).path, response))).toContain("Nonce Verify error");
  });

  test.each(Object.entries(OCSP_ERRORS))("[CAL-02] openssl reads the error %s", (error, number) => {
    const path = file("rsp", ocspErrorResponse(error as OcspError));
    expect(opensslFailure(["ocsp", "-respin", path, "-resp_text", "-noverify"])).toContain(`(${number})`);
  });
});
