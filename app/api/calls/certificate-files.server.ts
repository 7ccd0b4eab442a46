import { z } from "zod";
import { ENCODINGS, EXTENSIONS } from "~/domain/certificates/catalogue/download-choice";
import {
  type CertificateFile,
  readCertificateFile,
  readRootFile,
} from "~/domain/certificates/catalogue/download.service.server";
import { getCertificateInvoice } from "~/domain/certificates/catalogue/of-order.service.server";
import { fileResponse } from "~/http/files.server";
import { notFound } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { fileCall, group, type SignedCaller } from "../call";
import { atFields } from "../check";
import { queryId } from "../wire";

const NO_FILE = {
  403: "The role of the caller in the company is none that downloads certificates: Owner, Purchaser or Technical (`company.role`). Or the caller has something to do first, works for another company now than the one of the token, or is an API client without the scope",
  404: "There is no such certificate, or it is somebody else's",
  422: "Its state allows no download, or a field is not valid",
};

const MEDIA_TYPES = ["application/x-pem-file", "application/pkix-cert"];

/** Returns the schema of a text that is one of `choices`, in upper or lower case. A missing or blank text becomes `otherwise`. */
const oneOf = <const Choice extends string>(choices: readonly [Choice, ...Choice[]], otherwise: NoInfer<Choice>) =>
  z
    .string()
    .transform((given) => given.trim().toUpperCase() || otherwise)
    .pipe(z.enum(choices, { message: messages.collection }))
    .default(otherwise)
    .openapi({ type: "string", enum: [...choices, " "] });

const encoding = () => oneOf(ENCODINGS, "PEM").describe("Encoding, in upper or lower case; PEM when omitted");
const extension = () => oneOf(EXTENSIONS, "CER").describe("CER, which is the default, or the same as the encoding");

const choice = z.object({ certificateId: queryId(), certificateType: encoding(), fileExtension: extension() }).strict();

const answer = (file: CertificateFile | null): Response => {
  if (!file) throw notFound();
  return fileResponse(file);
};

/** Returns the handler of a call that downloads a certificate itself or the certificate of its issuer. */
const download = (certificateType: "own" | "issuing") => (input: z.output<typeof choice>, caller: SignedCaller) => {
  const { certificateId, certificateType: encoded, fileExtension } = input;
  const isTaken = caller.request.method !== "HEAD"; // a HEAD request does not download the certificate
  return atFields({ "certificate.file": "fileExtension" }, async () =>
    answer(
      await readCertificateFile(
        caller.user,
        certificateId,
        { certificateType, encoding: encoded, fileExtension },
        { isTaken },
      ),
    ),
  );
};

export const certificateFileCalls = group("Downloads", [
  fileCall({
    path: "Certificates/DownloadMyCertificate",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "A certificate",
    notes: "The first download by its owner turns Issued into Downloaded.",
    failure: "OCA0801E",
    refuses: NO_FILE,
    input: choice,
    output: { mediaTypes: MEDIA_TYPES, description: "The certificate" },
    handle: download("own"),
  }),
  fileCall({
    path: "Certificates/DownloadCaIssuingCertificate",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The certificate of the CA that issued a certificate",
    failure: "OCA0801E",
    refuses: NO_FILE,
    input: choice,
    output: { mediaTypes: MEDIA_TYPES, description: "The issuing CA's certificate" },
    handle: download("issuing"),
  }),
  fileCall({
    path: "Certificates/DownloadCaRootCertificate",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The root certificate under which certificates are issued now",
    notes: "Every root, and without a token: CertificateRepository/DownloadRootCert.",
    failure: "OCA0801E",
    refuses: { 404: "There is no authority that issues certificates" },
    input: z.object({ type: encoding(), extension: extension() }).strict(),
    output: { mediaTypes: MEDIA_TYPES, description: "The root's certificate" },
    handle: ({ type, extension: fileExtension }) =>
      atFields({ "certificate.file": "extension" }, async () =>
        answer(await readRootFile({ encoding: type, fileExtension })),
      ),
  }),
  fileCall({
    path: "invoices/DownloadCertificateInvoice",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The invoice of a certificate's order",
    failure: "OCA0701E",
    refuses: {
      404: "There is no such order of a certificate, or it is somebody else's",
      422: "There is no invoice yet, or a field is not valid",
    },
    input: z.object({ certificateOrderId: queryId() }).strict(),
    output: {
      mediaTypes: ["application/pdf"],
      description: "The latest invoice of the order, even when a credit note cancelled it",
    },
    handle: async ({ certificateOrderId }, { user }) =>
      fileResponse(await getCertificateInvoice(user, certificateOrderId)),
  }),
]);
