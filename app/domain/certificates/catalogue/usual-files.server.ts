import { type MailFile } from "~/domain/mail/parts";
import { rarePaths } from "~/lib/rare-paths";
import { type DownloadChoice } from "./download-choice";

/** The files that most programs take, with the sentence that says which (docs/decisions/0096). */
const USUAL_FILES = [
  {
    label: "Full chain",
    form: "PEM",
    query: { certificateType: "chain", encoding: "PEM", fileExtension: "PEM" },
    text: "For OFTP2 and AS2 programs that read PEM, such as OS4X and those built on OpenSSL: your certificate, then the CA issuing certificate.",
  },
  {
    label: "Certificate",
    form: "DER",
    query: { certificateType: "own", encoding: "DER", fileExtension: "CER" },
    text: "For partners and OFTP2 programs that import a single .cer file: Windows and Java’s keytool read it, and OS4X converts it.",
  },
  {
    label: "Chain",
    form: "PKCS#7",
    query: { certificateType: "bundle", encoding: "DER", fileExtension: "CER" },
    text: "For OFTP2 programs with a Java keystore or the certificate store of Windows: one .p7b file, with the CA root certificate, too.",
  },
] as const;

/** The choices of the download page that the usual files are. */
export const USUAL_CHOICES: readonly DownloadChoice[] = USUAL_FILES.map(({ query }) => query);

/** Returns the usual files for a partner of the certificate's owner, who reads what each is for in other words. */
export const USUAL_PARTNER_FILES = USUAL_FILES.map(({ label, form, query, text }) => ({
  label,
  form,
  choice: query,
  text: text.replace("your certificate", "the certificate"),
}));

/** Returns the usual files of a certificate as its message lists them, with full addresses. */
export const mailedFilesOf = (id: number, origin: string): MailFile[] =>
  usualFilesOf(id).map(({ label, form, href, text }) => ({ label: `${label}, ${form}`, url: origin + href, text }));

/** Returns the usual files of a certificate with their addresses. */
export const usualFilesOf = (id: number) =>
  USUAL_FILES.map(({ query, ...file }) => ({ ...file, href: rarePaths.certificateFile(id, query) }));
