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
    params: { hash: "The SHA-1 or SHA-256 thumbprint in hexadecimal; for a root also `sha1`, `sha2` or `sha512`" },
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

/** A call about the issuing CA of a hierarchy that issues now, and the same call about one by its thumbprint. */
const ofIssuing = (name: string, mediaType: string, what: string, hash: (typeof HASHES)[number]) => [
  file(name, mediaType, `${what} of the issuing CA that issues now (${hash.toUpperCase()})`),
  ...(hash === "Sha1"
    ? []
    : [file(name, mediaType, `${what} of an issuing CA (${hash.toUpperCase()}) by its thumbprint`, "/{hash}")]),
];

const issuing = HASHES.flatMap((hash) =>
  (["Der", "Pem"] as const).flatMap((encoding) =>
    ofIssuing(
      `DownloadIssuingCert${hash}${encoding}`,
      encoding === "Pem" ? CERTIFICATE.pem : CERTIFICATE.der,
      "The certificate",
      hash,
    ),
  ),
);

const ISSUING_LISTS = { Issuing: "The base CRL", IssuingCaDelta: "The delta CRL" };

const lists = [
  ...HASHES.map((hash) => file(`DownloadCertRevListRoot${hash}`, LIST, `The root's CRL (${hash.toUpperCase()})`)),
  ...Object.entries(ISSUING_LISTS).flatMap(([kind, what]) =>
    HASHES.flatMap((hash) => ofIssuing(`DownloadCertRevList${kind}${hash}`, LIST, what, hash)),
  ),
];

export const repositoryCalls = group("Certificate repository", [
  ...roots,
  ...issuing,
  file("DownloadCertificatePolicy", PDF, "The Certificate Policy"),
  file("DownloadCertificatePractice", PDF, "The Certification Practice Statement"),
  file("DownloadSubscriberAgreement", PDF, "The Subscriber Agreement"),
  ...lists,
]);
