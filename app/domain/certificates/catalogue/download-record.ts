import { type DownloadChoice } from "./download-choice";

/** The audit event of the download that turns Issued into Downloaded. */
export const FIRST_DOWNLOAD = "certificate.downloaded";

/** The audit event of every other download of a file that contains the certificate. */
export const LATER_DOWNLOAD = "certificate.file-downloaded";

const CONTENTS: Partial<Record<DownloadChoice["certificateType"], string>> = {
  chain: "full chain",
  bundle: "PKCS#7 bundle",
};

/** Returns the end of an audit message, which says in which form a certificate was downloaded: ` (full chain, PEM).` */
export const inForm = ({ certificateType, encoding }: Pick<DownloadChoice, "certificateType" | "encoding">): string =>
  ` (${CONTENTS[certificateType] ?? "certificate"}, ${encoding}).`;

/** The end of the audit message for a certificate in an archive, which contains its usual files. */
export const IN_ARCHIVE = " (full chain, certificate and PKCS#7 bundle in an archive, PEM and DER).";

/** Returns the form that `inForm` has written, or null when the message is older than that or was erased. */
export const formIn = (message: string): string | null =>
  / \(([^()]+, (?:PEM|DER|PEM and DER))\)\.$/.exec(message)?.[1] ?? null;
