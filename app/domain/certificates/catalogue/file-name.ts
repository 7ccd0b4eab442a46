/** Keeps only letters and digits of any script, dots and hyphens, which are safe in every file system. */
const plain = (text: string) =>
  text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}.-]+/gu, "_")
    .replace(/^[._-]+|[._-]+$/g, "");

/**
 * Returns the name of a certificate's files without the extension. The common name says whose it is; the id distinguishes certificates with
 * the same name.
 */
export const fileNameOf = ({ commonName, id }: { commonName: string; id: number }): string =>
  `${plain(commonName) || "certificate"}-${id}`;
