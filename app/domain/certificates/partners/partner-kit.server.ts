import { zipSync } from "fflate";
import { type SessionUser } from "~/domain/accounts/session-user";
import { getConfig } from "~/lib/config.server";
import { formatDate } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { drawText, type TextStyle } from "~/lib/pdf/any-text.server";
import { COLOURS, MARGIN, newPdf, pdfBytes } from "~/lib/pdf/document.server";
import { drawn } from "~/lib/pdf/tagged.server";
import { qrPath } from "~/lib/totp.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { IN_ARCHIVE } from "../catalogue/download-record";
import {
  type CertificateFile,
  findDownload,
  makeCertificateFile,
  noteDownload,
} from "../catalogue/download.service.server";
import { fileNameOf } from "../catalogue/file-name";
import { USUAL_PARTNER_FILES } from "../catalogue/usual-files.server";

type Issued = CertificateRow & { der: Buffer };

/** The side of the QR code, in points. */
const CODE_SIDE = 150;

/** What the sheet says about the code. */
const CODE_TEXT = "The QR code is the SHA-256 fingerprint. Compare it with the one that your software shows.";

/** Returns what the sheet states, as pairs of label and value. */
const factsOf = (row: Issued): [string, string][] => [
  ["Common name", row.commonName],
  ["Organisation", row.organisation],
  ["Serial number", colonHex(row.serialNumber ?? "")],
  ["Valid from", formatDate(row.startDate)],
  ["Valid until", formatDate(row.expiryDate)],
  ["SHA-256 fingerprint", colonHex(row.thumbprintSha256 ?? "")],
  ["SHA-1 fingerprint", colonHex(row.thumbprint ?? "")],
];

/** Returns a sheet of paper with the fingerprints of a certificate, and the SHA-256 fingerprint as a QR code. */
async function fingerprintSheet(row: Issued): Promise<Buffer> {
  const title = `Certificate ${row.commonName}`;
  const pdf = newPdf({ title, author: getConfig().branding.mailName, date: new Date(row.startDate ?? 0) });
  pdf.addPage();
  const root = pdf.struct("Document");
  pdf.addStructure(root);
  const width = pdf.page.width - MARGIN.left - MARGIN.right;
  let y = MARGIN.top;
  const draw = (tag: string, text: string, style: TextStyle, space: number) =>
    drawn(pdf, root, tag, () => {
      y += drawText(pdf, text, { x: MARGIN.left, y, width }, style) + space;
    });
  draw("H1", title, { size: 20, font: "bold", colour: COLOURS.brand }, 14);
  for (const [label, value] of factsOf(row)) {
    draw("P", label, { size: 10, font: "regular", colour: COLOURS.muted }, 0);
    draw("P", value, { size: 12, font: "semibold", colour: COLOURS.text }, 8);
  }
  draw("P", CODE_TEXT, { size: 10, font: "regular", colour: COLOURS.muted }, 12);
  const { path, size } = qrPath(row.thumbprintSha256 ?? "");
  const alt = `QR code of the SHA-256 fingerprint ${row.thumbprintSha256 ?? ""}`;
  const drawCode = () => {
    pdf.save().translate(MARGIN.left, y);
    pdf
      .scale(CODE_SIDE / size)
      .path(path)
      .fill(COLOURS.text)
      .restore();
  };
  root.add(pdf.struct("Figure", { alt }, drawCode));
  root.end();
  return pdfBytes(pdf);
}

/** Returns an archive with the usual files of a certificate and a sheet with its fingerprints. */
export async function partnerKit(row: Issued, now: Date): Promise<CertificateFile> {
  const name = fileNameOf(row);
  const files: Record<string, Uint8Array> = {};
  for (const { choice } of USUAL_PARTNER_FILES) {
    const file = await makeCertificateFile(row, choice);
    files[`${name}/${file.fileName}`] = file.bytes;
  }
  files[`${name}/${name}-fingerprints.pdf`] = await fingerprintSheet(row);
  const bytes = Buffer.from(zipSync(files, { level: 0, mtime: now }));
  return { bytes, mediaType: "application/zip", fileName: `${name}-for-partners.zip` };
}

/**
 * Returns the archive for a certificate of the company, or for staff, and records the download unless `isTaken` is false. Returns null or throws
 * in the same cases as `findDownload`.
 */
export async function readOwnKit(
  user: SessionUser,
  id: number,
  { isTaken, now = new Date() }: { isTaken: boolean; now?: Date },
): Promise<CertificateFile | null> {
  const row = await findDownload(user, id);
  if (!row) return null;
  if (isTaken) await noteDownload(row, user, { form: IN_ARCHIVE, supersedes: false }, now);
  return partnerKit(row, now);
}
