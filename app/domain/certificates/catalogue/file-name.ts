/** Letters and digits of any script, dots and hyphens: safe in every file system. */
const plain = (text: string) =>
  text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}.-]+/gu, "_")
    .replace(/^[._-]+|[._-]+$/g, "");

/** Name of a certificate's files without their extension: says whose it is and tells two of the same name apart. */
export const fileNameOf = ({ commonName, id }: { commonName: string; id: number }): string =>
  `${plain(commonName) || "certificate"}-${id}`;
