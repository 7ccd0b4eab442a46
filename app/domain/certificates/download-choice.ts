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
    hint: "Your certificate, the CA issuing and the CA root certificate in one .p7b file",
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

/** Reads the choice from a URL; never fails: what is missing or unknown is the default. */
export const readDownloadChoice = (query: URLSearchParams): DownloadChoice => ({
  certificateType: CERTIFICATE_TYPES.find(({ value }) => value === query.get("certificateType"))?.value ?? "own",
  encoding: ENCODINGS.find((value) => value === query.get("encoding")) ?? "PEM",
  fileExtension: EXTENSIONS.find((value) => value === query.get("fileExtension")) ?? "CER",
});

/** CER suits both encodings, the others are named after theirs. */
export const isMatching = (extension: FileExtension, encoding: Encoding): boolean =>
  extension === "CER" || extension === encoding;

export interface ChoiceProblem {
  field: "encoding" | "fileExtension";
  message: string;
}

/** Why there is no such file, or null. */
export function choiceProblem({ certificateType, encoding, fileExtension }: DownloadChoice): ChoiceProblem | null {
  if (certificateType === "bundle") return null; // always .p7b
  if (certificateType === "chain" && encoding === "DER")
    return { field: "encoding", message: "A chain of certificates can only be encoded as PEM." };
  if (isMatching(fileExtension, encoding)) return null;
  const message = `The extension ${fileExtension} does not match the encoding ${encoding}. Choose CER or ${encoding}.`;
  return { field: "fileExtension", message };
}
