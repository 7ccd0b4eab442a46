import { z } from "zod";
import { findFileOfCall } from "~/domain/repository/calls.service.server";
import { missingFile, readRepositoryFile } from "~/domain/repository/files.service.server";
import { noSuchFile, publicFile } from "~/http/public-file.server";
import { group, fileCall, type Caller } from "../call";

const HASHES = ["Sha1", "Sha2", "Sha512"] as const;
const CERTIFICATE = { der: "application/pkix-cert", pem: "application/x-pem-file" };
const LIST = "application/pkix-crl";
const PDF = "application/pdf";

const anyQuery = z.object({}).passthrough();

/**
 * Defines the call for a file of the repository under its name in API-03. It answers conditional and range requests, as /repository does.
 */
const file = (name: string, mediaType: string, summary: string, parameter = "") => {
  const path = `CertificateRepository/${name}${parameter}`;
  const handle = async (_: unknown, { request, params }: Caller) => {
    const found = await findFileOfCall(name, params.hash);
    const content = found === null ? null : await readRepositoryFile(found);
    return content ? publicFile(request, content) : noSuchFile(missingFile(found ?? ""));
  };
  const output = { mediaTypes: [mediaType], description: "The file" };
  return fileCall({
    who: "anyone",
    path,
    method: "GET",
    summary,
    input: anyQuery,
    output,
    handle,
    refuses: { 404: "There is no such file" },
    params: { hash: "`sha1`, `sha2`, `sha512`, or the SHA-1 or SHA-256 thumbprint in hexadecimal" },
  });
};

const roots = (["", "Pem", "Der"] as const).flatMap((encoding) => {
  const type = encoding === "Pem" ? CERTIFICATE.pem : CERTIFICATE.der;
  const name = `DownloadRootCert${encoding}`;
  return [
    file(name, type, "The first root's certificate"),
    file(name, type, "A root's certificate by its hash algorithm (sha1, sha2, sha512) or thumbprint", "/{hash}"),
  ];
});

const issuing = HASHES.flatMap((hash) =>
  (["Der", "Pem"] as const).map((encoding) =>
    file(
      `DownloadIssuingCert${hash}${encoding}`,
      encoding === "Pem" ? CERTIFICATE.pem : CERTIFICATE.der,
      `The certificate of the issuing CA of the ${hash.toUpperCase()} hierarchy`,
    ),
  ),
);

const LISTS = { Root: "root's CRL", Issuing: "issuing CA's base CRL", IssuingCaDelta: "issuing CA's delta CRL" };

const lists = Object.entries(LISTS).flatMap(([kind, what]) =>
  HASHES.map((hash) => file(`DownloadCertRevList${kind}${hash}`, LIST, `The ${what} (${hash.toUpperCase()})`)),
);

export const repositoryCalls = group("Certificate repository", [
  ...roots,
  ...issuing,
  file("DownloadCertificatePolicy", PDF, "The Certificate Policy"),
  file("DownloadCertificatePractice", PDF, "The Certification Practice Statement"),
  file("DownloadSubscriberAgreement", PDF, "The Subscriber Agreement"),
  ...lists,
]);
