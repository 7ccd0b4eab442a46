export const CERTIFICATE_TYPES = [
  { value: "own", label: "Your Certificate" },
  { value: "root", label: "CA Root Certificate" },
  { value: "issuing", label: "CA Issuing Certificate" },
  {
    value: "chain",
    label: "Full chain, leaf first",
    hint: "Your certificate and the CA issuing certificate in one PEM file",
  },
  {
    value: "bundle",
    label: "PKCS#7 bundle",
    hint: "Your certificate, the CA issuing and the CA root certificate in one file, whose extension is always .p7b",
  },
] as const;
export type CertificateType = (typeof CERTIFICATE_TYPES)[number]["value"];

export const ENCODINGS = ["PEM", "DER"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const EXTENSIONS = ["CER", "PEM", "DER"] as const;
export type FileExtension = (typeof EXTENSIONS)[number];

export interface DownloadChoice {
  certificateType: CertificateType;
  encoding: Encoding;
  fileExtension: FileExtension;
}

/** Reads the choice from the query string. Never throws: a missing or unknown value becomes the default. */
export const readDownloadChoice = (query: URLSearchParams): DownloadChoice => ({
  certificateType: CERTIFICATE_TYPES.find(({ value }) => value === query.get("certificateType"))?.value ?? "own",
  encoding: ENCODINGS.find((value) => value === query.get("encoding")) ?? "PEM",
  fileExtension: EXTENSIONS.find((value) => value === query.get("fileExtension")) ?? "CER",
});

/** Returns the possible encodings. A chain is several certificates in sequence, which only PEM can separate. */
export const encodingsOf = ({ certificateType }: Pick<DownloadChoice, "certificateType">): readonly Encoding[] =>
  certificateType === "chain" ? ["PEM"] : ENCODINGS;

/**
 * Returns the possible extensions. CER fits both encodings; the others are named after theirs. A bundle has its own extension, whatever is
 * chosen.
 */
export const extensionsOf = ({ encoding }: Pick<DownloadChoice, "encoding">): readonly FileExtension[] =>
  EXTENSIONS.filter((extension) => extension === "CER" || extension === encoding);

/** Returns the possible choice that is closest to this one. */
export function possibleChoice(choice: DownloadChoice): DownloadChoice {
  const encoding = encodingsOf(choice).includes(choice.encoding) ? choice.encoding : "PEM";
  const fileExtension = extensionsOf({ encoding }).includes(choice.fileExtension) ? choice.fileExtension : "CER";
  return { ...choice, encoding, fileExtension };
}

export const CHAIN_IS_PEM = "A chain of certificates can only be encoded as PEM.";

export interface ChoiceProblem {
  field: "encoding" | "fileExtension";
  message: string;
}

/** Returns why this choice is not possible, or null. */
export function choiceProblem({ certificateType, encoding, fileExtension }: DownloadChoice): ChoiceProblem | null {
  if (!encodingsOf({ certificateType }).includes(encoding)) return { field: "encoding", message: CHAIN_IS_PEM };
  if (certificateType === "bundle" || extensionsOf({ encoding }).includes(fileExtension)) return null;
  const message = `The extension ${fileExtension} does not match the encoding ${encoding}. Choose CER or ${encoding}.`;
  return { field: "fileExtension", message };
}
