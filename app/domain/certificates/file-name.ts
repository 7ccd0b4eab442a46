/** Letters, digits, dots and hyphens: safe in every file system and in a header. */
const plain = (text: string) => text.replace(/[^A-Za-z0-9.-]+/g, "_").replace(/^[._-]+|[._-]+$/g, "");

/** Name of a certificate's files without their extension: says whose it is and tells two of the same name apart. */
export const fileNameOf = ({ commonName, id }: { commonName: string; id: number }): string =>
  `${plain(commonName) || "certificate"}-${id}`;
